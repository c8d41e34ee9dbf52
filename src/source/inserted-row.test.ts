import { afterAll, expect, test } from 'vitest';
import { fixture, fixtureBytes } from '../dump/testing/read-all.ts';
import { everything, reportsOf } from '../live/testing/reports.ts';
import { LogFolder } from './testing/log-files.ts';

const files = new LogFolder();
afterAll(() => {
  files[Symbol.dispose]();
});

/** The INSERTs of one table, four rows a statement. */
function gathered(text: string): string {
  const one = /^(INSERT INTO \S+(?: \([^)]*\))? VALUES )(\(.*\));$/;
  const lines: string[] = [];
  let head = '';
  let rows: string[] = [];
  const close = (): void => {
    if (rows.length > 0) lines.push(`${head}\n${rows.join(',\n')};`);
    rows = [];
  };
  for (const line of text.split('\n')) {
    const [, into, row] = one.exec(line) ?? [];
    if (into !== undefined && row !== undefined) {
      if (into !== head || rows.length === 4) close();
      head = into;
      rows.push(row);
    } else {
      if (line !== '') close();
      lines.push(line);
    }
  }
  close();
  return lines.join('\n');
}

test('whose value a blob kept is told for INSERTs in a file as for COPY', async () => {
  const expected = await reportsOf({ ...everything, place: fixture('race-js.sql.gz') });
  const shared = expected.flatMap(({ findings }) => findings).filter(({ kind }) => kind === 'shared-blob');
  expect(shared.length).toBeGreaterThan(0);
  for (const form of ['inserts', 'column-inserts']) {
    const text = fixtureBytes(`race-js.${form}.sql.gz`).toString('latin1');
    const single = files.write(`${form}.sql`, Buffer.from(text, 'latin1'));
    expect(await reportsOf({ ...everything, place: single })).toEqual(expected);
    const several = gathered(text);
    expect(several.match(/^INSERT/gm)?.length).toBeLessThan((text.match(/^INSERT/gm)?.length ?? 0) / 2);
    const joined = files.write(`${form}.joined.sql`, Buffer.from(several, 'latin1'));
    expect(await reportsOf({ ...everything, place: joined })).toEqual(expected);
  }
});
