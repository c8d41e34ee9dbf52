import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { fixture } from '../dump/testing/read-all.ts';
import { recordedSets } from '../dump/testing/expected.ts';
import { wantsValue, wantsValueSql } from '../dump/wanted-values.ts';
import type { DatabaseServer } from '../postgres/database-server.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { withClient } from '../postgres/with-client.ts';
import { liveDefaults } from './live-settings.ts';
import { dsnOf, loadSet } from './testing/load-dump.ts';
import { everything, reportsOf } from './testing/reports.ts';

/** Ranges of a page: every table is read in as many pieces as it has pages. */
const manyPieces = { ...liveDefaults, rangeBytes: 8192, connections: 3 };

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

function dump(set: string): string {
  return fixture(`${set}.sql.gz`);
}

describe('a live database gives the reports of a dump of it', () => {
  test.each(recordedSets)('%s, read in pieces by three connections', async (set) => {
    const place = await loadSet(server.dsn, set, set);
    const live = await reportsOf({ ...everything, place, live: manyPieces });
    expect(live).toEqual(await reportsOf({ ...everything, place: dump(set) }));
    expect(live.length).toBeGreaterThan(0);
  });

  test('read by one connection, and with the whole of every value asked for', async () => {
    const place = dsnOf(server.dsn, 'race-js');
    const notes: string[] = [];
    const live = { ...liveDefaults, connections: 1 };
    const reports = await reportsOf({ ...everything, place, live, note: (note) => notes.push(note) });
    const threads = new Set(reports.map(({ thread }): string => thread));
    expect(await reportsOf({ ...everything, place, filter: { threads, schema: null } })).toEqual(reports);
    expect(notes).toEqual([]);
  });

  test('the condition in SQL is the predicate, whatever the channel', async () => {
    const channels = ['__pregel_tasks', '__error__', '__resume__', 'join:a+b:c', 'branch:to:é', 'messages'];
    const others = ['', 'join', 'JOIN:a:b', 'branch:to', '__error__ ', "it's", '__start__', 'xjoin:a:b'];
    await withClient(server.dsn, async (client) => {
      const { rows } = await client.query<{ channel: string; wanted: boolean }>(
        `SELECT channel, ${wantsValueSql('channel')} AS wanted FROM unnest($1::text[]) channel`,
        [[...channels, ...others]],
      );
      expect(rows).toEqual(
        [...channels, ...others].map((channel) => ({ channel, wanted: wantsValue(channel) })),
      );
    });
  });
});

describe('threads are chosen by their newest activity', () => {
  let place: string;
  let all: readonly ThreadReport[];
  let newest: readonly { readonly thread: string; readonly time: number }[];

  beforeAll(async () => {
    place = await loadSet(server.dsn, 'chosen', 'zoo-js');
    all = await reportsOf({ ...everything, place });
    newest = await withClient(place, async (client) => {
      const { rows } = await client.query<{ thread: string; id: string }>(
        `SELECT thread_id AS thread, max(checkpoint_id COLLATE "C") AS id FROM checkpoints GROUP BY 1
         ORDER BY 2 DESC`,
      );
      return rows.map(({ thread, id }) => ({ thread, time: idTimeMs(id as never) ?? Number.NaN }));
    });
  });

  const cut = (since: number | null, until: number | null, limit: number | null) =>
    ({ sinceMs: since, untilMs: until, limit }) as const;

  async function chosen(where: string, choice: ReturnType<typeof cut>): Promise<readonly ThreadReport[]> {
    return reportsOf({ ...everything, place: where, choice });
  }

  test.each([
    ['since', () => cut(newest[9]?.time ?? 0, null, null), 0, 10],
    ['until', () => cut(null, newest[9]?.time ?? 0, null), 10, undefined],
    ['between', () => cut(newest[9]?.time ?? 0, newest[4]?.time ?? 0, null), 5, 10],
    ['limit', () => cut(null, null, 7), 0, 7],
    ['limit and until', () => cut(null, newest[3]?.time ?? 0, 2), 4, 6],
  ])('%s: the same threads, whole, from the database and from a dump', async (_, choiceOf, from, to) => {
    const choice = choiceOf();
    const wanted = new Set(newest.slice(from, to).map(({ thread }) => thread));
    const expected = all.filter(({ thread, namespaces }) => namespaces.length > 0 && wanted.has(thread));
    expect(await chosen(place, choice)).toEqual(expected);
    expect(await chosen(dump('zoo-js'), choice)).toEqual(expected);
    expect(expected.length).toBe(wanted.size);
  });

  test('threads whose ids are foreign are as new as their ts, and those without any are said', async () => {
    await withClient(place, async (client) => {
      for (const [thread, ts] of [
        ['foreign', '2999-01-01T00:00:00.5+00:00'],
        ['timeless', null],
        [newest[0]?.thread, '2999-01-01T00:00:00.6+00:00'],
      ]) {
        await client.query(
          `INSERT INTO checkpoints VALUES ($1, '', 'checkpoint-1', NULL, NULL,
             jsonb_build_object('v', 4, 'ts', $2::text, 'channel_versions', '{}'::jsonb, 'versions_seen', '{}'::jsonb),
             '{"step":-1,"source":"input","parents":{}}')`,
          [thread, ts],
        );
      }
    });
    const notes: string[] = [];
    const since = cut(Date.parse('2998-12-31T00:00Z'), null, null);
    const found = await reportsOf({ ...everything, place, choice: since, note: (note) => notes.push(note) });
    expect(found.map(({ thread }) => thread)).toEqual(['foreign', newest[0]?.thread ?? ''].sort());
    expect(notes).toEqual([expect.stringContaining('1 thread tells no time')]);
    expect(await chosen(place, cut(Date.parse('2999-01-01T00:00:00.601Z'), null, null))).toEqual([]);
  });

  test('a thread is named exactly, and a name that no row has gives none', async () => {
    const threads = new Set([newest[5]?.thread ?? '', "it's \\ not there"]);
    const found = await reportsOf({ ...everything, place, filter: { threads, schema: null } });
    expect(found).toEqual(all.filter(({ thread }) => threads.has(thread)));
    expect(found).toHaveLength(1);
  });
});

describe('several sets of tables', () => {
  const odd = 'Odd " Schema';
  let place: string;
  let notes: string[];

  beforeAll(async () => {
    place = await loadSet(server.dsn, 'several', 'race-js', odd);
    await loadSet(server.dsn, 'several', 'race-py', 'agents');
    await withClient(place, (client) =>
      client.query(`
        CREATE SCHEMA games;
        CREATE TABLE games.checkpoints (player text, level int);
        CREATE VIEW public.checkpoints AS SELECT * FROM agents.checkpoints;
        ALTER TABLE agents.checkpoints RENAME TO old;
        CREATE TABLE agents.checkpoints (LIKE agents.old) PARTITION BY HASH (thread_id);
        CREATE TABLE agents.part_0 PARTITION OF agents.checkpoints FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE agents.part_1 PARTITION OF agents.checkpoints FOR VALUES WITH (MODULUS 2, REMAINDER 1);
        INSERT INTO agents.checkpoints SELECT * FROM agents.old`),
    );
  });

  test('are reported apart; partitions belong to their table; strangers and views are left out', async () => {
    notes = [];
    const live = await reportsOf({
      ...everything,
      place,
      live: manyPieces,
      note: (note) => notes.push(note),
    });
    const js = await reportsOf({ ...everything, place: dump('race-js') });
    const py = await reportsOf({ ...everything, place: dump('race-py') });
    expect(live).toEqual([
      ...js.map((report) => ({ ...report, schema: odd })),
      ...py.map((report) => ({ ...report, schema: 'agents' })),
    ]);
    expect(notes).toEqual([expect.stringContaining('games.checkpoints is not LangGraph')]);
  });

  test('can be read alone, a view too where its schema is named', async () => {
    const filter = { threads: null, schema: 'agents' };
    const agents = await reportsOf({ ...everything, place, filter });
    expect(new Set(agents.map(({ schema }) => schema))).toEqual(new Set(['agents']));
    const view = await reportsOf({ ...everything, place, filter: { threads: null, schema: 'public' } });
    expect(view.map(({ thread }) => thread)).toEqual(agents.map(({ thread }) => thread));
  });

  test('are missed by name when there are none', async () => {
    const absent = reportsOf({ ...everything, place, filter: { threads: null, schema: 'agent' } });
    await expect(absent).rejects.toThrow('no schema agent holds a table checkpoints of LangGraph');
    await expect(reportsOf({ ...everything, place: server.dsn })).rejects.toThrow(
      'no schema of the database',
    );
  });
});
