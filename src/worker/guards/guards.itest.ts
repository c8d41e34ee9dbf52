/** Guards on a real server, without workers: whom each turns away, decided by rows and locks and no timing. */
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import { createSeriesSchema, setupSaver } from '../../postgres/schema.ts';
import { seriesSchemaFor, type SeriesSchema } from '../../postgres/series-schema-name.ts';
import { openEmbeddedPlace, poolOf, type EmbeddedPlace } from '../../postgres/testing/embedded-place.ts';
import type { RunRequest } from '../../protocol/run-request.ts';
import { neighbourPairs } from '../../runner/neighbours.ts';
import type { Guard } from './guard.ts';
import { makeGuard } from './registry.ts';

const never = new AbortController().signal;
let place: EmbeddedPlace;
let schema: SeriesSchema;
const guards: Guard[] = [];

beforeAll(async () => {
  place = await openEmbeddedPlace();
  schema = seriesSchemaFor('guards');
  await createSeriesSchema(place.server.dsn, schema);
  await setupSaver(place.server.dsn, schema);
});
afterAll(async () => {
  await Promise.all(guards.map(async (guard) => guard.close()));
  expect(await place.close()).toEqual([]);
});

async function guardNamed(name: string): Promise<Guard> {
  const guard = await makeGuard(name, {
    ...{ dsn: place.server.dsn, schema, worker: 'w', scale: 1 },
    ...{ saverPool: place.pool, services: new Map() },
  });
  if (guard === null) throw new Error(`no guard ${name}`);
  guards.push(guard);
  return guard;
}

function request(thread: string, name: string, input: RunRequest['input'] = {}): RunRequest {
  return {
    ...{ thread: thread as ThreadId, run: `${thread}/${name}` as RunToken, input, durability: 'async' },
    ...{ handler: 'abort-signal', guard: 'any', versions: 'integers', businessKey: thread },
  };
}

/** Stores one checkpoint that says it was made so long ago. */
async function storeCheckpoint(thread: string, ageMs: number): Promise<void> {
  const saver = new PostgresSaver(poolOf(place.server), undefined, { schema });
  const ts = new Date(Date.now() - ageMs).toISOString();
  await saver.put(
    { configurable: { thread_id: thread, checkpoint_ns: '' } },
    { ...emptyCheckpoint(), ts },
    { source: 'loop', step: 1, parents: {} },
    {},
  );
  await saver.end();
}

it('finds pairs of ids that differ and have one hash of 32 bits, none twice and not one of 64', async () => {
  const pairs = await neighbourPairs(place.server.dsn, "o'series", 12);
  expect(new Set(pairs.flat()).size).toBe(24);
  for (const pair of pairs) {
    const { rows } = await place.pool.query<{ narrow: string; wide: string }>(
      `SELECT count(DISTINCT hashtext(id)) AS narrow, count(DISTINCT hashtextextended(id, 0)) AS wide
       FROM unnest($1::text[]) AS id`,
      [[...pair]],
    );
    expect(rows).toEqual([{ narrow: '1', wide: '2' }]);
  }
  expect(await neighbourPairs(place.server.dsn, 'none', 0)).toEqual([]);
});

it.each([
  ['lock-hash32', 'refused'],
  ['lock-reject', 'admitted'],
])('%s: a thread that shares 32 bits of hash with one in use is %s', async (name, expected) => {
  const [pair] = await neighbourPairs(place.server.dsn, name, 1);
  if (pair === undefined) throw new Error('no pair');
  const guard = await guardNamed(name);
  const held = await guard.enter(request(pair[0], 'first'), never);
  const stranger = await guard.enter(request(pair[1], 'first'), never);
  expect([held.kind, stranger.kind]).toEqual(['admitted', expected]);
  for (const entry of [held, stranger]) if (entry.kind === 'admitted') await entry.leave();
});

it('naive-reaper lets in whoever goes on behind an old checkpoint, though the first run is there; lease does not', async () => {
  await storeCheckpoint('old', 5000);
  await storeCheckpoint('young', 0);
  const naive = await guardNamed('naive-reaper');
  const kinds = async (guard: Guard, thread: string) => [
    (await guard.enter(request(thread, 'first'), never)).kind,
    (await guard.enter(request(thread, 'reaper', null), never)).kind,
  ];
  expect(await kinds(naive, 'old')).toEqual(['admitted', 'admitted']);
  expect(await kinds(naive, 'young')).toEqual(['admitted', 'refused']);
  expect(await kinds(naive, 'empty')).toEqual(['admitted', 'refused']);

  const lease = await guardNamed('lease');
  const first = await lease.enter(request('old', 'first'), never);
  expect((await lease.enter(request('old', 'reaper', null), never)).kind).toBe('refused');
  if (first.kind === 'admitted') await first.leave();
});
