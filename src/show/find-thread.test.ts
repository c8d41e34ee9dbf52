import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { findThread, type FoundThread } from './find-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'forkscope-show-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dump = fileURLToPath(new URL('../dump/fixtures/race-js.sql.gz', import.meta.url));

const find = (source: string, thread: string, schema: string | null = null): Promise<FoundThread> =>
  findThread({ source, thread, schema });

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
    const { evidence, kind } = await find(dump, 'race-03');
    expect([kind, evidence.rows.checkpoints.length]).toEqual(['dump', 16]);
    expect(new Set(evidence.rows.checkpoints.map(({ thread }) => thread))).toEqual(new Set(['race-03']));
    expect(evidence.log).toBeNull();
  });

  test('that is unknown is answered with how many there are and the five nearest', async () => {
    await expect(find(dump, 'race-3')).rejects.toThrow(
      /no row belongs to thread race-3 \(.*race-js\.sql\.gz, 10 threads\)\. The nearest: race-03, race-00, race-01, race-02, race-04\./,
    );
  });

  test('in two schemas must be chosen by its schema', async () => {
    const two = dumpOf('agents', 'billing');
    await expect(find(two, 't')).rejects.toThrow(/2 schemas hold a thread t: agents, billing.*--schema/);
    expect((await find(two, 't', 'billing')).evidence.rows.schema).toBe('billing');
    await expect(find(two, 't', 'sales')).rejects.toThrow(/no row of schema sales belongs to thread t/);
  });

  test('of a source that is not there is an error with the path in it', async () => {
    await expect(find(join(folder, 'absent.sql'), 't')).rejects.toThrow(/absent\.sql/);
  });
});
