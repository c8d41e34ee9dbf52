import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corpusThreads } from '#analysis/corpus/corpus.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { prepareAnalysis } from '#analysis/prepare.ts';
import { LiveSession } from '../live/live-session.ts';
import { liveDefaults } from '../live/live-settings.ts';
import { findTables } from '../live/live-tables.ts';
import { dsnOf, loadSet } from '../live/testing/load-dump.ts';
import { everything, reportsOf } from '../live/testing/reports.ts';
import type { DatabaseServer } from '../postgres/database-server.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { withClient } from '../postgres/with-client.ts';
import { openSource } from '../source/open-source.ts';
import { collisionsSql, forksSql } from './by-hand-sql.ts';
import { census, type CensusTotals, type SuspiciousThread } from './census.ts';
import { printSql, usualTables } from './print-sql.ts';
import { corpusText, fillFromCorpus, tablesSql } from './testing/load-corpus.ts';

/** Threads that travel and threads in all, by set: every race does; the zoos are collections of unusual threads. */
const sets: Readonly<Record<string, readonly [travel: number, of: number]>> = {
  'clean-js': [2, 20],
  'clean-py': [0, 20],
  'lock-js': [0, 10],
  'race-lock-py': [0, 20],
  'race-js': [10, 10],
  'race-exit-js': [10, 10],
  'race-exit-py': [10, 10],
  'race-fresh-js': [10, 10],
  'race-py': [10, 10],
  'unique-js': [10, 10],
  'shapes-js': [8, 24],
  'old-0.2.20-js': [16, 29],
  'old-0.2.74-js': [17, 36],
  'old-0.4.5-js': [18, 37],
  'old-1.2.7-js': [18, 37],
  'oldschema-py': [1, 3],
  'zoo-js': [27, 71],
  'zoo-py': [33, 84],
};

let watchdog: Watchdog;
let server: DatabaseServer;
let corpus: string;
let reports: readonly ThreadReport[];
let suspicious: readonly SuspiciousThread[];
let totals: readonly CensusTotals[];

beforeAll(async () => {
  watchdog = startWatchdog();
  server = await startEmbeddedServer({ watchdog });
  await withClient(server.dsn, (client) => client.query('CREATE DATABASE corpus'));
  corpus = dsnOf(server.dsn, 'corpus');
  await withClient(corpus, async (client) => {
    for (const set of Object.keys(sets)) {
      await client.query(tablesSql(set));
      await fillFromCorpus(client, set, set);
    }
  });
  reports = (await Promise.all(Object.keys(sets).map(reportsOfSet))).flat();
  ({ suspicious, totals } = await censusOf(corpus));
});
afterAll(async () => {
  await server.stop();
  await watchdog.close();
});

async function censusOf(
  dsn: string,
): Promise<{ suspicious: readonly SuspiciousThread[]; totals: readonly CensusTotals[] }> {
  const session = await LiveSession.open(dsn, liveDefaults, new AbortController().signal);
  try {
    const found: SuspiciousThread[] = [];
    const sums: CensusTotals[] = [];
    for await (const item of census(session, await findTables(session, dsn, null, () => undefined))) {
      if (item.kind === 'thread') found.push(item);
      else sums.push(item);
    }
    return { suspicious: found, totals: sums };
  } finally {
    await session.close();
  }
}

/** What the analysis says of each thread of a set that has any row, given its rows alone. */
async function reportsOfSet(set: string): Promise<readonly ThreadReport[]> {
  const analyse = await prepareAnalysis({ rules: [] });
  const threads = corpusThreads(corpusText(set)).map(({ evidence }) => evidence.rows);
  const stored = threads.filter(
    ({ checkpoints, blobs, writes }) => checkpoints.length + (blobs?.length ?? 0) + (writes?.length ?? 0) > 0,
  );
  return Promise.all(
    stored.map((rows) => analyse({ rows: { ...rows, schema: set }, log: null, runs: null })),
  );
}

/** The pairs that shared blobs are about. */
function sharedPairs({ thread, findings }: ThreadReport): readonly string[] {
  return findings
    .filter(({ kind }) => kind === 'shared-blob')
    .flatMap(({ details }) => details['pairs'] as readonly { channel: string; version: string }[])
    .map(({ channel, version }) => `${thread} ${channel} ${version}`);
}

/** What a table or a pipeline would react to. */
function isNotable({ findings, undecided }: ThreadReport): boolean {
  return undecided.length > 0 || findings.some(({ severity }) => severity !== 'info');
}

describe.each(Object.entries(sets))('the set %s', (set, [travel, of]) => {
  test('no thread stays of which the analysis has more than information to give', () => {
    const travelling = new Set(suspicious.filter(({ schema }) => schema === set).map(({ thread }) => thread));
    const left = reports.filter(
      (report) => report.schema === set && isNotable(report) && !travelling.has(report.thread),
    );
    expect(left.map(({ thread, findings, undecided }) => ({ thread, findings, undecided }))).toEqual([]);
  });

  test(`${travel} of ${of} threads travel, each told once`, () => {
    const threads = suspicious.filter(({ schema }) => schema === set).map(({ thread }) => thread);
    expect(new Set(threads).size).toBe(threads.length);
    expect([threads.length, reports.filter(({ schema }) => schema === set).length]).toEqual([travel, of]);
  });

  test('the totals in SQL are those of the analysis', () => {
    const here = reports.filter(({ schema }) => schema === set);
    expect(totals.filter(({ schema }) => schema === set)).toEqual([
      {
        kind: 'totals',
        schema: set,
        threads: here.length,
        namespaces: here.flatMap(({ namespaces }) => namespaces).length,
        checkpoints: here
          .flatMap(({ namespaces }) => namespaces)
          .reduce((sum, { checkpoints }) => sum + checkpoints, 0),
      },
    ]);
  });
});

test('an audit by SQL says the same of every thread that is more than ordinary, and counts all threads', async () => {
  const set = 'zoo-js';
  const request = { ...everything, place: corpus, filter: { threads: null, schema: set } };
  const { source } = await openSource({ ...request, engine: 'sql' });
  source.close?.();
  expect(source.survey).toMatchObject({ threads: 71, namespaces: 76, checkpoints: 446, analysed: 27 });
  const told = await reportsOf({ ...request, engine: 'sql' });
  expect(told).toHaveLength(27);
  const whole = reports.filter((report) => report.schema === set && isNotable(report));
  const plain = (report: ThreadReport): unknown => ({ ...report, schema: null, log: null, unrecorded: null });
  expect(told.filter(isNotable).map(plain)).toEqual(
    whole.toSorted((one, other) => (one.thread < other.thread ? -1 : 1)).map(plain),
  );
});

test.each(['zoo-js', 'zoo-py', 'race-js', 'race-fresh-js', 'race-py', 'old-1.2.7-js'])(
  'the forks and collisions that %s shows to psql are those of the analysis',
  async (set) => {
    const [checkpoints] = usualTables(set);
    if (checkpoints === undefined) throw new Error('LangGraph has tables');
    const here = reports.filter(({ schema }) => schema === set);
    await withClient(corpus, async (client) => {
      const forks = await client.query<Record<string, unknown>>(forksSql(checkpoints));
      expect(
        forks.rows.map(({ thread_id, children }) => `${String(thread_id)} ${String(children)}`).sort(),
      ).toEqual(
        here
          .flatMap(({ thread, namespaces }) =>
            namespaces.flatMap((one) => one.forks.map(({ children }) => `${thread} ${children.length}`)),
          )
          .sort(),
      );
      const collisions = await client.query<Record<string, unknown>>(collisionsSql(checkpoints));
      expect(
        collisions.rows
          .map(({ thread_id, channel, version }) => [thread_id, channel, version].map(String).join(' '))
          .sort(),
      ).toEqual(here.flatMap(sharedPairs).sort());
    });
  },
);

test('the printed script runs as it is, and its first answer is the census', async () => {
  const answers = await withClient(corpus, (client) => client.query(printSql(usualTables('zoo-py'))));
  const told = (answers as unknown as readonly { rows: readonly Record<string, unknown>[] }[]).find(
    ({ rows }) => rows.length > 0,
  );
  expect(told?.rows).toHaveLength(33 + 1);
});

test('of a saver without history every thread travels', async () => {
  const dsn = await loadSet(server.dsn, 'shallow', 'shallow-py');
  const found = await censusOf(dsn);
  expect(found.suspicious.map(({ marks }) => marks)).toEqual(found.suspicious.map(() => ['no-history']));
  expect(found.totals.map(({ threads }) => threads)).toEqual([found.suspicious.length]);
  expect(found.suspicious.length).toBeGreaterThan(0);
});
