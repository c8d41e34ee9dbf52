/** `forkscope audit` on dumps that are cut off, damaged or none at all, with and without `--keep-going`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { fixture, fixtureBytes } from '#src/dump/testing/read-all.ts';
import { checkpointColumns, checkpointFields, copySection, wholeDump } from '#src/dump/testing/small-dump.ts';
import { AuditPlace } from './testing/audit-place.ts';

interface DamagedReport {
  readonly verdict: string;
  readonly totals: { readonly threads: number };
  readonly faults: readonly string[];
  readonly skipped: { readonly byTable: Record<string, number>; readonly examples: readonly string[] };
}

let audit: AuditPlace;
beforeAll(async () => {
  audit = await AuditPlace.open();
});
afterAll(async () => {
  await audit.close();
});

const file = (name: string, bytes: Buffer | string): string => audit.files.write(name, bytes);

const threads = Array.from({ length: 40 }, (_, index) => `t${index}`);
const section = (...rows: readonly (readonly (string | null)[])[]): string =>
  copySection('public.checkpoints', checkpointColumns, rows);
const rowOf = (thread: string): readonly (string | null)[] => checkpointFields(thread);
const broken = (thread: string): readonly (string | null)[] =>
  rowOf(thread).map((field, at) => (at === 5 ? '{"v": 4,' : field));

/** The bytes of a dump of which the thread `spoilt` is not UTF-8. */
function spoilt(): Buffer {
  const bytes = Buffer.from(wholeDump(section(...threads.map(rowOf), rowOf('spoilt'))));
  bytes.fill(0xff, bytes.indexOf('spoilt'), bytes.indexOf('spoilt') + 2);
  return bytes;
}

const whole = wholeDump(section(...threads.map(rowOf)));
const midRow = whole.indexOf('\nt20\t') + 30;

describe('a damaged dump', () => {
  test.each<[string, () => Buffer | string, readonly RegExp[]]>([
    [
      'cut off in the middle of a section',
      () => whole.slice(0, midRow),
      [/ends inside the data of table public\.checkpoints/, /row 20, line 28, byte \d+/, /--keep-going/],
    ],
    [
      'cut off in the middle of a statement',
      () => `${whole.slice(0, whole.indexOf('COPY'))}INSERT INTO public.checkpoints VALUES ('t`,
      [/ends inside a statement/, /line 7, byte \d+/, /semicolon/],
    ],
    [
      'half a gzip file',
      () => readFileSync(fixture('race-js.sql.gz')).subarray(0, 3_000),
      [/the gzip file is cut off/, /compare the sizes/],
    ],
    [
      'with broken JSON in a row',
      () => wholeDump(section(rowOf('a'), broken('b'), rowOf('c'))),
      [/the column checkpoint is no JSON/, /table public\.checkpoints, row 2, line 9, byte \d+/, /pg_dump/],
    ],
    [
      'that is not UTF-8',
      spoilt,
      [/the column thread_id is not UTF-8/, /row 41, line 48, byte \d+/, /--encoding=UTF8/],
    ],
    [
      'that is a picture',
      () => Buffer.from('ffd8ffe000104a46494600010101004800480000', 'hex'),
      [/it is binary data/, /pg_dump/],
    ],
    [
      'without checkpoint tables',
      () => wholeDump(copySection('public.notes', 'id', [['1']])),
      [/no data of a table named checkpoints/, /--schema-only/],
    ],
  ])('%s ends the audit with place and remedy', async (name, bytes, expected) => {
    const path = file(`${name}.sql`, bytes());
    const { code, stdout, stderr } = await audit.run(path);
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    expect(stderr).toContain(path);
    for (const part of expected) expect(stderr).toMatch(part);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('--keep-going', () => {
  async function report(path: string, ...args: readonly string[]): Promise<DamagedReport> {
    const { code, stdout, stderr } = await audit.run(path, '--keep-going', '--format', 'json', ...args);
    expect(stderr).toBe('');
    expect(code).toBe(2);
    return JSON.parse(stdout) as DamagedReport;
  }

  test('tells a dump that was cut off, and audits the rows before', async () => {
    const { verdict, faults, skipped, totals } = await report(file('cut.sql', whole.slice(0, midRow)));
    expect(verdict).toBe('unknown');
    expect(totals.threads).toBe(20);
    expect(faults).toEqual([expect.stringMatching(/ends inside the data .* row 20, line 28, byte \d+\)$/)]);
    expect(skipped).toEqual({ byTable: {}, examples: [] });
  });

  test('counts damaged rows by table and tells where the first are', async () => {
    const rows = [rowOf('a'), ...threads.map(broken), rowOf('c')];
    const path = file('broken.sql', wholeDump(section(...rows)));
    const { faults, skipped, totals } = await report(path);
    expect(totals.threads).toBe(42);
    expect(faults).toEqual([]);
    expect(skipped.byTable).toEqual({ 'public.checkpoints': 40 });
    expect(skipped.examples).toHaveLength(5);
    for (const example of skipped.examples) {
      expect(example).toMatch(/broken\.sql, table public\.checkpoints, row \d+, line \d+, byte \d+: .*JSON/);
    }
  });

  test('says so in a table and in the last line of ndjson too', async () => {
    const path = file('one.sql', wholeDump(section(rowOf('a'), broken('b'))));
    const [table, lines] = await Promise.all([
      audit.run(path, '--keep-going'),
      audit.run(path, '--keep-going', '--format', 'ndjson'),
    ]);
    expect([table.code, lines.code]).toEqual([2, 2]);
    expect(table.stdout).toMatch(/^unknown: .*not all/);
    expect(table.stdout).toContain('left out: 1 damaged row (1 of public.checkpoints)');
    expect(table.stdout).toMatch(/row 2, line 9, byte \d+: .*JSON/);
    const last = JSON.parse(lines.stdout.trimEnd().split('\n').at(-1) ?? '') as DamagedReport;
    expect(last.skipped.byTable).toEqual({ 'public.checkpoints': 1 });
  });

  test('reads the whole part of half a gzip file', async () => {
    const packed = readFileSync(fixture('race-js.sql.gz'));
    const { faults } = await report(file('half.sql.gz', packed.subarray(0, packed.length >> 1)));
    expect(faults).toEqual([expect.stringContaining('the gzip file')]);
  });

  test('leaves an error an error', async () => {
    const bytes = fixtureBytes('race-py.sql.gz');
    const cut = file(
      'invalid.sql',
      bytes.subarray(0, bytes.lastIndexOf('PostgreSQL database dump complete')),
    );
    const { code, stdout } = await audit.run(cut, '--keep-going', '--format', 'json');
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as DamagedReport).faults).toHaveLength(1);
  });
});
