/**
 * The law behind a census, tried on real threads with rows taken out, moved and altered at random: whatever the
 * analysis has more than information to say of travels.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { corpusThreads } from '#analysis/corpus/corpus.ts';
import { prepareAnalysis } from '#analysis/prepare.ts';
import { LiveSession } from '../live/live-session.ts';
import { liveDefaults } from '../live/live-settings.ts';
import { findTables } from '../live/live-tables.ts';
import type { DatabaseServer } from '../postgres/database-server.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { withClient } from '../postgres/with-client.ts';
import { census } from './census.ts';
import { fillWith, packedThreads, tablesSql, type PackedThread } from './testing/load-corpus.ts';

const seed = 20261201;
const threadsTried = 1_000;

let watchdog: Watchdog;
let server: DatabaseServer;

beforeAll(async () => {
  watchdog = startWatchdog();
  server = await startEmbeddedServer({ watchdog });
});
afterAll(async () => {
  await server.stop();
  await watchdog.close();
});

type Checkpoint = PackedThread['checkpoints'][number];

/** Each takes one row of checkpoints and gives what takes its place. `other`: another row of the thread. */
const alterations: readonly ((row: Checkpoint, other: Checkpoint) => readonly Checkpoint[])[] = [
  () => [],
  ([ns, id, , checkpoint, metadata]) => [[ns, id, null, checkpoint, metadata]],
  ([ns, id, , checkpoint, metadata], other) => [[ns, id, other[1], checkpoint, metadata]],
  (row) => [row, [row[0], `${row[1]}x`, row[2], row[3], row[4]]],
  ([ns, id, parent, checkpoint, metadata]) => [[ns, `0${id}`, parent, checkpoint, metadata]],
  ...[
    { step: null },
    { step: 40 },
    { source: 'update' },
    { source: 'input' },
    { source: 'loop' },
    { source: 7 },
  ].map((change) => ([ns, id, parent, checkpoint, metadata]: Checkpoint): readonly Checkpoint[] => [
    [ns, id, parent, checkpoint, { ...(metadata as object), ...change }],
  ]),
];

const sources = [
  'clean-js',
  'clean-py',
  'lock-js',
  'shapes-js',
  'zoo-js',
  'zoo-py',
  'old-0.4.5-js',
  'oldschema-py',
].flatMap(packedThreads);

const damaged = fc
  .record({
    thread: fc.constantFrom(...sources.filter(({ checkpoints }) => checkpoints.length > 0)),
    at: fc.nat(),
    other: fc.nat(),
    alter: fc.option(fc.constantFrom(...alterations)),
    lessWrites: fc.option(fc.nat()),
    moveWrites: fc.option(fc.nat()),
    noBlobs: fc.boolean(),
  })
  .map(({ thread, at, other, alter, lessWrites, moveWrites, noBlobs }): PackedThread => {
    const { checkpoints, writes } = thread;
    const chosen = checkpoints[at % checkpoints.length];
    const second = checkpoints[other % checkpoints.length];
    if (chosen === undefined || second === undefined) return thread;
    const kept = writes.filter((_, index) => lessWrites === null || index % 5 !== lessWrites % 5);
    const moved = kept.map((write, index) =>
      moveWrites !== null && index === moveWrites % kept.length
        ? ([write[0], second[1], `${write[2]}m`, ...write.slice(3)] as unknown as typeof write)
        : write,
    );
    return {
      thread: thread.thread,
      checkpoints:
        alter === null
          ? checkpoints
          : checkpoints.flatMap((row) => (row === chosen ? alter(row, second) : [row])),
      blobs: noBlobs ? [] : thread.blobs,
      writes: moved,
    };
  });

test(`of ${threadsTried} damaged threads (seed ${seed}) none stays that is more than ordinary, and some stay`, async () => {
  const threads = fc
    .sample(damaged, { numRuns: threadsTried, seed })
    .filter(({ checkpoints, blobs, writes }) => checkpoints.length + blobs.length + writes.length > 0)
    .map((thread, index) => ({ ...thread, thread: `damaged-${index}` }));
  await withClient(server.dsn, async (client) => {
    await client.query(tablesSql('damaged'));
    await fillWith(client, 'damaged', threads);
  });
  const session = await LiveSession.open(server.dsn, liveDefaults, new AbortController().signal);
  const travelling = new Set<string>();
  for await (const item of census(session, await findTables(session, server.dsn, null, () => undefined))) {
    if (item.kind === 'thread') travelling.add(item.thread);
  }
  await session.close();
  const analyse = await prepareAnalysis({ rules: [] });
  const text = threads.map((thread) => JSON.stringify({ ...thread, effects: [], truth: null })).join('\n');
  const left: unknown[] = [];
  for (const { thread, evidence } of corpusThreads(text)) {
    const { findings, undecided } = await analyse({ rows: evidence.rows, log: null, runs: null });
    const isNotable = undecided.length > 0 || findings.some(({ severity }) => severity !== 'info');
    if (isNotable && !travelling.has(thread)) left.push({ thread, findings, undecided });
  }
  expect(left).toEqual([]);
  expect(threads.length - travelling.size).toBeGreaterThan(threadsTried / 20);
});
