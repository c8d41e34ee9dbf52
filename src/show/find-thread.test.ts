import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { CountRule } from '#analysis/model/invariant.ts';
import { findThread, type FoundThread, type ThreadRequest } from './find-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'forkscope-show-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dump = fileURLToPath(new URL('../dump/fixtures/race-js.sql.gz', import.meta.url));

const find = (place: string, thread: string, asked: Partial<ThreadRequest> = {}): Promise<FoundThread> =>
  findThread({ place, thread, schema: null, effects: null, rules: [], ...asked });

const logged = (name: string, text: string): Pick<ThreadRequest, 'effects'> => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return { effects: { file, map: null } };
};

/** A dump of one thread `t` with one row in each of the schemas. */
function dumpOf(...schemas: readonly string[]): string {
  const path = join(folder, `${schemas.join('-')}.sql`);
  const tables = schemas.map((schema) =>
    [
      `COPY ${schema}.checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata) FROM stdin;`,
      `t\t\t1f1ed063-05b6-6a00-8000-000000000001\t\\N\t\\N\t{"v": 4}\t{"source": "input", "step": -1}`,
      '\\.',
      '',
    ].join('\n'),
  );
  writeFileSync(path, tables.join('\n'));
  return path;
}

describe('a thread', () => {
  test('of a dump comes with its rows and no others', async () => {
    const { evidence, log } = await find(dump, 'race-03');
    expect(evidence.rows.checkpoints).toHaveLength(16);
    expect(new Set(evidence.rows.checkpoints.map(({ thread }) => thread))).toEqual(new Set(['race-03']));
    expect([evidence.log, log]).toEqual([null, null]);
  });

  test('that is unknown is answered with how many there are and the five nearest', async () => {
    await expect(find(dump, 'race-3')).rejects.toThrow(
      /no row belongs to thread race-3 \(.*race-js\.sql\.gz, 10 threads\)\. The nearest: race-03, race-00, race-01, race-02, race-04\./,
    );
  });

  test('in two schemas must be chosen by its schema', async () => {
    const two = dumpOf('agents', 'billing');
    await expect(find(two, 't')).rejects.toThrow(/2 schemas hold a thread t: agents, billing.*--schema/);
    expect((await find(two, 't', { schema: 'billing' })).evidence.rows.schema).toBe('billing');
    await expect(find(two, 't', { schema: 'sales' })).rejects.toThrow(/no schema sales/);
    await expect(find(two, 'u', { schema: 'billing' })).rejects.toThrow(/no row belongs to thread u/);
  });

  test('that only another schema holds is said to be there', async () => {
    const text = readFileSync(dumpOf('agents', 'billing'), 'utf8').replace('\nt\t', '\nelsewhere\t');
    const path = join(folder, 'elsewhere.sql');
    writeFileSync(path, text);
    await expect(find(path, 'elsewhere', { schema: 'billing' })).rejects.toThrow(
      /no row of schema billing belongs to thread elsewhere .*leave --schema out/,
    );
  });

  test('of a source that is not there is an error with the path in it', async () => {
    await expect(find(join(folder, 'absent.sql'), 't')).rejects.toThrow(/absent\.sql/);
  });

  test('is asked the rules of the user', async () => {
    const rule: CountRule = { left: [], right: [], constant: 0, text: '0 >= 0' };
    expect((await find(dump, 'race-03', { rules: [rule] })).options.rules).toEqual([rule]);
  });
});

describe('with a log, a thread', () => {
  const records = [
    '{"thread":"race-03","node":"charge","ts":1796074626}',
    '{"thread":"race-03","node":"audit note","ts":1796074627}',
    '{"thread":"lost","node":"charge","ts":1796074626}',
  ].join('\n');

  test('gets its records, and what is no node in any row of the source is known', async () => {
    const { evidence, options, log } = await find(dump, 'race-03', logged('log.jsonl', records));
    expect(evidence.rows.checkpoints).toHaveLength(16);
    expect(evidence.log?.effects.map(({ node }) => node)).toEqual(['charge', 'audit note']);
    expect(options.notNodes).toEqual(['audit note']);
    expect(log?.sentence).toContain('3 records in ');
  });

  test('that no row knows comes without rows', async () => {
    const { evidence } = await find(dump, 'lost', logged('log.jsonl', records));
    expect(evidence.rows.checkpoints).toEqual([]);
    expect(evidence.log?.effects).toHaveLength(1);
  });

  test('that neither knows is answered with near names of both', async () => {
    await expect(find(dump, 'los', logged('log.jsonl', records))).rejects.toThrow(
      /neither a row nor a record of the log belongs to thread los \(.*, 11 threads\)\. The nearest: lost, /,
    );
  });
});
