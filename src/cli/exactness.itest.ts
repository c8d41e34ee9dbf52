/**
 * Does it matter how the same rows come in? It must not: the recorded corpus stands in one database, a schema a set,
 * and every form in which it can be had gives the same thread objects. Easy to get wrong: which thread comes first is
 * the source's own, and `--engine sql` promises the notable threads only.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillFromCorpus, tablesSql } from '#src/census/testing/load-corpus.ts';
import { neutralLine, type NeutralRow } from '#src/dump/neutral-rows.ts';
import { recordedSets } from '#src/dump/testing/expected.ts';
import { fixture } from '#src/dump/testing/read-all.ts';
import { dsnOf, loadSet } from '#src/live/testing/load-dump.ts';
import { everything, reportsOf } from '#src/live/testing/reports.ts';
import { openEmbeddedPlace, type EmbeddedPlace } from '#src/postgres/testing/embedded-place.ts';
import { withClient } from '#src/postgres/with-client.ts';
import { threadObject } from '#src/report/audit-json.ts';
import { AuditPlace } from './testing/audit-place.ts';
import type { AuditReport, ThreadJson } from './testing/audit-report.ts';

function has(...programs: readonly string[]): boolean {
  return programs.every((program) => {
    try {
      execFileSync(program, ['--version']);
      return true;
    } catch {
      return false;
    }
  });
}

/** Sets of the corpus that are not recorded as dumps, those of ordinary threads left out for time. */
const otherSets = ['lock-js', 'race-exit-py', 'race-fresh-js', 'shapes-js'];

let place: EmbeddedPlace;
let audit: AuditPlace;
let dsn: string;

/** Threads in one order, and what is said of all of them. */
function told({ threads, totals, verdict }: AuditReport): unknown {
  return { verdict, totals, threads: threads.map(keyed).sort(byKey) };
}

function keyed(thread: ThreadJson): readonly [string, ThreadJson] {
  return [JSON.stringify([thread.schema, thread.thread]), thread];
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function dump(name: string, ...options: readonly string[]): string {
  const path = join(audit.files.path, name);
  execFileSync('pg_dump', ['--dbname', dsn, '--file', path, ...options]);
  return path;
}

/** The thread objects of one set. */
function ofSet({ threads }: AuditReport, set: string): readonly unknown[] {
  return threads
    .filter(({ schema }) => schema === set)
    .map((thread) => keyed({ ...thread, schema: '' }))
    .sort(byKey);
}

/** The rows of a schema as JSON lines, writes first. */
async function exported(schema: string): Promise<string> {
  const at = pg.escapeIdentifier(schema);
  return withClient(dsn, async (client) => {
    const rows = async (table: string, extra = ''): Promise<Record<string, unknown>[]> =>
      (await client.query<Record<string, unknown>>(`SELECT *${extra} FROM ${at}.${table}`)).rows;
    const tables = [
      ...(await rows('checkpoint_writes')).map((row) => ({ table: 'checkpoint_writes', ...row })),
      ...(await rows('checkpoints', ', checkpoint::text AS checkpoint, metadata::text AS metadata')).map(
        (row) => ({ table: 'checkpoints', ...row }),
      ),
      ...(await rows('checkpoint_blobs')).map((row) => ({ table: 'checkpoint_blobs', ...row })),
    ];
    return tables.map((row) => neutralLine(row as unknown as NeutralRow)).join('');
  });
}

describe.runIf(has('pg_dump', 'pg_restore'))(
  'the same rows, whatever they come from (skipped where pg_dump is not installed)',
  () => {
    let plain: string;
    let expected: AuditReport;

    beforeAll(async () => {
      [place, audit] = await Promise.all([openEmbeddedPlace(), AuditPlace.open()]);
      dsn = dsnOf(place.server.dsn, 'corpus');
      for (const set of recordedSets) await loadSet(place.server.dsn, 'corpus', set, set);
      await withClient(dsn, async (client) => {
        for (const set of otherSets) {
          await client.query(tablesSql(set));
          await fillFromCorpus(client, set, set);
        }
      });
      plain = dump('corpus.sql');
      expected = await audit.json(plain);
    }, 120_000);
    afterAll(async () => {
      await audit.close();
      expect(await place.close()).toEqual([]);
    });

    test('are the corpus: every set, with findings of many kinds', () => {
      const schemas = new Set(expected.threads.map(({ schema }) => schema));
      expect([...schemas].sort()).toEqual([...recordedSets, ...otherSets].sort());
      expect(Object.values(expected.totals.findings).filter((count) => count > 0).length).toBeGreaterThan(8);
    });

    test.each(recordedSets)('%s is what its recorded dump is, in memory and spilled', async (set) => {
      const recorded = fixture(`${set}.sql.gz`);
      for (const reading of [{}, { memoryBytes: 1 }]) {
        const reports = await reportsOf({
          ...everything,
          place: recorded,
          reading: { keepGoing: false, ...reading },
        });
        const objects = reports.map(
          (report) => JSON.parse(JSON.stringify({ ...threadObject(report), schema: '' })) as ThreadJson,
        );
        expect(objects.map(keyed).sort(byKey)).toEqual(ofSet(expected, set));
      }
    });

    test.each<[string, ...string[]]>([
      ['INSERTs', '--inserts'],
      ['INSERTs with column names, several rows each', '--column-inserts', '--rows-per-insert=7'],
      ['a custom archive', '-Fc'],
      ['a directory', '-Fd'],
      ['a tar archive', '-Ft'],
    ])('from %s', async (name, ...options) => {
      expect(told(await audit.json(dump(name, ...options)))).toEqual(told(expected));
    });

    test('from a packed dump and from standard input', async () => {
      const packed = audit.files.write('corpus.sql.gz', gzipSync(readFileSync(plain)));
      const [named, piped] = await Promise.all([
        audit.json(packed),
        audit.runOn(plain, '-', '--format', 'json', '--all-threads'),
      ]);
      expect(told(named)).toEqual(told(expected));
      expect(told(JSON.parse(piped.stdout) as AuditReport)).toEqual(told(expected));
    });

    test.skipIf(!has('zstd'))('from a dump packed with zstd (skipped without zstd)', async () => {
      const packed = join(audit.files.path, 'corpus.sql.zst');
      execFileSync('zstd', ['-q', '-o', packed, plain]);
      expect(told(await audit.json(packed))).toEqual(told(expected));
    });

    test('from the live database', async () => {
      expect(told(await audit.json(dsn, '--connections', '3'))).toEqual(told(expected));
    });

    test('from the database by SQL: the notable threads are the same', async () => {
      const { stdout } = await audit.run(dsn, '--engine', 'sql', '--format', 'json');
      const bySql = JSON.parse(stdout) as AuditReport;
      const notable = expected.threads.filter(({ findings }) =>
        findings.some(({ severity }) => severity !== 'info'),
      );
      expect(notable.length).toBeGreaterThan(50);
      expect(bySql.threads.map(keyed).sort(byKey)).toEqual(notable.map(keyed).sort(byKey));
      for (const key of ['threads', 'namespaces', 'checkpoints', 'forks', 'undeclaredForks']) {
        expect(bySql.totals[key], key).toBe(expected.totals[key]);
      }
    });

    test('from JSON lines', async () => {
      // The shallow saver's tables cannot be exported: their rows have no checkpoint id.
      const sets = [...recordedSets, ...otherSets].filter((set) => set !== 'shallow-py');
      for (const set of sets) {
        const file = audit.files.write(`${set}.rows.jsonl`, await exported(set));
        const reports = await reportsOf({ ...everything, place: file });
        const objects = reports.map(
          (report) => JSON.parse(JSON.stringify({ ...threadObject(report), schema: '' })) as ThreadJson,
        );
        expect(objects.map(keyed).sort(byKey), set).toEqual(ofSet(expected, set));
      }
    });

    test('are in the database afterwards as they were before', () => {
      // pg_dump draws the word of \\restrict anew each time.
      const text = (path: string): string =>
        readFileSync(path, 'latin1').replaceAll(/^\\(?:un)?restrict .*$/gm, '');
      expect(text(dump('after.sql')) === text(plain)).toBe(true);
    });
  },
);
