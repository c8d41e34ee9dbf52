import { expect, test } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import { chunked, failureOf } from './testing/read-all.ts';
import {
  blobColumns,
  checkpointColumns,
  checkpointFields,
  checkpointSection,
  copySection,
  wholeDump,
} from './testing/small-dump.ts';

async function errorOf(text: string | Buffer): Promise<OperatorError> {
  const failure = await failureOf(chunked(text, [100]));
  if (!(failure instanceof OperatorError)) throw new Error(`no operator error but ${String(failure)}`);
  return failure;
}

function replaced(text: string, row: string, by: Buffer): Buffer {
  const bytes = Buffer.from(text);
  const at = bytes.indexOf(row);
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + row.length)]);
}

const table = (...rows: readonly (readonly (string | null)[])[]): string =>
  copySection('public.checkpoints', checkpointColumns, rows);
const good = checkpointFields('t1');
const withJson = (json: string): readonly (string | null)[] =>
  good.map((field, at) => (at === 5 ? json : field));

test('broken JSON names its column, table, row, line and byte', async () => {
  const text = wholeDump(table(good, withJson('{"v": 4,')));
  const error = await errorOf(text);
  expect(error.happened).toBe('the column checkpoint is no JSON');
  expect(error.place).toBe(
    `test.sql, table public.checkpoints, row 2, line 9, byte ${text.indexOf('t1', text.indexOf('t1') + 2)}`,
  );
  expect(error.remedy).toContain('pg_dump');
  expect(error.cause).toBeInstanceOf(Error);
});

test('JSON of the wrong shape names the field', async () => {
  const error = await errorOf(wholeDump(table(withJson('{"v": "four"}'))));
  expect(error.happened).toContain('field checkpoint.v is the string "four", expected an integer');
  expect(error.place).toContain('row 1, line 8');
});

test('bytes that are not UTF-8 are refused, not replaced', async () => {
  const text = wholeDump(checkpointSection('public.checkpoints', 'spoilt'));
  const error = await errorOf(replaced(text, 'spoilt', Buffer.of(0xff, 0xfe)));
  expect(error.happened).toBe('the column thread_id is not UTF-8');
  expect(error.place).toContain('table public.checkpoints, row 1');
  expect(error.remedy).toContain('--encoding=UTF8');
});

test('a row with a field too many or too few is refused', async () => {
  const error = await errorOf(wholeDump(table(good, good.slice(1))));
  expect(error.message).toContain('a row has 6 fields');
  expect(error.message).toContain('Expected 7 as the columns say');
});

test('a NULL where LangGraph’s table allows none is refused', async () => {
  const error = await errorOf(wholeDump(table([null, ...good.slice(1)])));
  expect(error.happened).toBe('the column thread_id is NULL');
});

test('a blob that is no bytea is refused', async () => {
  const blobs = copySection('public.checkpoint_blobs', blobColumns, [
    ['t1', '', 'steps', '2', 'json', '\\x5'],
  ]);
  expect((await errorOf(wholeDump(blobs, checkpointSection('public.checkpoints', 't1')))).happened).toBe(
    'the column blob is no bytea',
  );
});

test('a dump that ends inside data says in which table, at which line and byte', async () => {
  const text = table(good, good);
  const cut = text.slice(0, text.indexOf('\\.'));
  const error = await errorOf(cut);
  expect(error.happened).toBe('the dump ends inside the data of table public.checkpoints');
  expect(error.place).toBe(`test.sql, table public.checkpoints, row 2, line 4, byte ${cut.length}`);
  expect(error.expected).toContain('\\.');
});

test('a dump that ends inside a row does not read that row', async () => {
  const text = table(good);
  const error = await errorOf(text.slice(0, text.indexOf('"parents"')));
  expect(error.happened).toContain('ends inside the data');
  expect(error.place).toContain(`line 2, byte ${text.indexOf('t1')}`);
});

test('a dump that ends inside a statement says where the statement began', async () => {
  const error = await errorOf("SET a = 1;\n\nINSERT INTO t VALUES ('x');\nINSERT INTO t VALUES ('y");
  expect(error.happened).toBe('the dump ends inside a statement');
  expect(error.place).toContain('line 4');
});

test('a dump that ends between two sections is missed by its closing comment', async () => {
  const text = wholeDump(table(good));
  const error = await errorOf(text.slice(0, text.lastIndexOf('--\n-- PostgreSQL')));
  expect(error.happened).toContain('lacks the closing one');
});

test('a dump in another encoding is refused with the flag that helps', async () => {
  const error = await errorOf(`SET client_encoding = 'LATIN1';\n${table(good)}`);
  expect(error.happened).toBe('the dump is encoded in LATIN1');
  expect(error.remedy).toContain('--encoding=UTF8');
});

test('data that is not in COPY’s text form is refused', async () => {
  const error = await errorOf(
    `COPY public.checkpoints (${checkpointColumns}) FROM stdin WITH (FORMAT csv);\na,b\n\\.\n`,
  );
  expect(error.happened).toContain('WITH (FORMAT csv)');
});

test('an INSERT of something computed is refused', async () => {
  const error = await errorOf(`INSERT INTO public.checkpoints (${checkpointColumns}) VALUES (md5('x'));`);
  expect(error.happened).toContain('md5 is not a literal');
  expect(error.place).toContain('table public.checkpoints');
});

test.each<[string, string, string]>([
  ['other tables only', copySection('public.notes', 'id', [['1']]), 'no data of a table named checkpoints'],
  [
    'another program’s checkpoints only',
    copySection('public.checkpoints', 'epoch, thread_id', [['1', 'x']]),
    'a table public.checkpoints, but without the columns checkpoint_ns, checkpoint, metadata',
  ],
  [
    'definitions without data',
    `CREATE TABLE public.checkpoints (${checkpointColumns});\n`,
    'no data of a table',
  ],
])('a dump of %s is refused with what it holds instead', async (_, text, expected) => {
  const error = await errorOf(wholeDump(text));
  expect(error.happened).toContain(expected);
  expect(error.remedy).toContain('--schema-only');
});
