import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { chunked, failureOf, readAll } from './testing/read-all.ts';
import {
  blobColumns,
  checkpointColumns,
  checkpointFields,
  checkpointSection,
  copySection,
  wholeDump,
  writeColumns,
} from './testing/small-dump.ts';

const blob = ['t1', '', 'steps', '2', 'json', '\\x5b5d'];
const write = ['t1', '', 'c1', 'task', '-3', '__interrupt__', 'json', '\\x5b5d'];
const checkpoints = checkpointSection('public.checkpoints', 't1');

function threadIds(threads: readonly ThreadRows[]): readonly string[] {
  return threads.map((rows) => rows.thread);
}

describe('what is read', () => {
  test('the rows of the three tables, in any order of tables and columns', async () => {
    const [rows, ...others] = await readAll(
      chunked(
        wholeDump(
          copySection('public.checkpoint_writes', `task_path, extra, ${writeColumns}`, [
            ['~p', 'x', ...write],
          ]),
          copySection('public.checkpoints', checkpointColumns.split(', ').reverse().join(', '), [
            checkpointFields('t1').toReversed(),
          ]),
          copySection('public.checkpoint_blobs', blobColumns, [blob]),
        ),
      ),
    );
    expect(others).toEqual([]);
    expect(rows).toMatchObject({ thread: 't1', schema: null });
    expect(rows?.checkpoints).toMatchObject([
      { id: 'c1', parent: null, step: -1, channelVersions: new Map([['steps', 2]]) },
    ]);
    expect(rows?.blobs).toEqual([
      {
        thread: 't1',
        namespace: '',
        channel: 'steps',
        version: '2',
        value: { type: 'json', bytes: Buffer.from('[]') },
      },
    ]);
    expect(rows?.writes).toMatchObject([
      { index: -3, task: 'task', channel: '__interrupt__', taskPath: '~p' },
    ]);
    expect(rows?.shallow).toBeUndefined();
  });

  test('a table the dump does not hold is null, an empty one is empty', async () => {
    const without = await readAll(chunked(wholeDump(checkpoints)));
    expect(without).toMatchObject([{ blobs: null, writes: null }]);
    const empty = copySection('public.checkpoint_blobs', blobColumns, []);
    expect(await readAll(chunked(wholeDump(checkpoints, empty)))).toMatchObject([
      { blobs: [], writes: null },
    ]);
  });

  test('a table whose definition is there but whose data was left out of the dump is null', async () => {
    const definition = 'CREATE TABLE public.checkpoint_blobs (thread_id text NOT NULL);\n';
    expect(await readAll(chunked(wholeDump(definition, checkpoints)))).toMatchObject([{ blobs: null }]);
  });

  test('with INSERTs an empty table is known by the comment that announces its data', async () => {
    const definition = `CREATE TABLE public.checkpoint_blobs (${blobColumns.replaceAll(',', ' text,')} bytea);\n`;
    const announced = '-- Data for Name: checkpoint_blobs; Type: TABLE DATA; Schema: public; Owner: lg\n';
    expect(await readAll(chunked(wholeDump(definition, announced, checkpoints)))).toMatchObject([
      { blobs: [] },
    ]);
    expect(await readAll(chunked(wholeDump(definition, checkpoints)))).toMatchObject([{ blobs: null }]);
  });

  test('rows without a task_path column have none', async () => {
    const writes = copySection('public.checkpoint_writes', writeColumns, [write]);
    expect(await readAll(chunked(wholeDump(checkpoints, writes)))).toMatchObject([
      { writes: [{ taskPath: null }] },
    ]);
  });

  test('the shallow saver’s rows: the id from inside the row, the blob’s version from its checkpoint', async () => {
    const shallow = wholeDump(
      copySection('public.checkpoints', 'thread_id, checkpoint_ns, type, checkpoint, metadata', [
        checkpointFields('t1').filter((_, position) => position !== 2 && position !== 3),
      ]),
      copySection('public.checkpoint_blobs', 'thread_id, checkpoint_ns, channel, type, blob', [
        blob.filter((_, position) => position !== 3),
      ]),
    );
    expect(await readAll(chunked(shallow))).toMatchObject([
      { shallow: true, checkpoints: [{ id: 'c1', parent: null }], blobs: [{ version: '2' }] },
    ]);
  });

  test('only the wanted threads and values', async () => {
    const text = wholeDump(
      checkpointSection('public.checkpoints', 't1', 't2'),
      copySection('public.checkpoint_blobs', blobColumns, [blob, ['t1', '', 'other', '2', 'empty', null]]),
    );
    const [rows, ...others] = await readAll(chunked(text), {
      threads: new Set(['t1']),
      keptValueBytes: 0,
    });
    expect(others).toEqual([]);
    // A NULL blob holds nothing that could be left out.
    expect(rows?.blobs).toMatchObject([
      { channel: 'other', value: { type: 'empty', bytes: null } },
      { channel: 'steps', value: { type: 'json', bytes: null, omitted: true } },
    ]);
    expect(rows?.blobs?.[0]?.value.omitted).toBeUndefined();
  });
});

describe('where tables stand', () => {
  test('one thread id in two schemas is two threads, and both say where they are', async () => {
    const text = wholeDump(
      checkpointSection('agents.checkpoints', 't1'),
      checkpointSection('"Odd.Schema"."checkpoints"', 't1', 't2'),
      copySection('agents.checkpoint_blobs', blobColumns, [blob]),
    );
    expect(await readAll(chunked(text))).toMatchObject([
      { thread: 't1', schema: 'Odd.Schema', blobs: null },
      { thread: 't2', schema: 'Odd.Schema', blobs: null },
      { thread: 't1', schema: 'agents', blobs: [{ channel: 'steps' }] },
    ]);
  });

  test('a second schema without rows does not count', async () => {
    const text = wholeDump(checkpoints, checkpointSection('empty.checkpoints'));
    expect(await readAll(chunked(text))).toMatchObject([{ thread: 't1', schema: null }]);
  });

  test('an unqualified table stands in the first schema of the search path', async () => {
    const text = wholeDump(
      checkpointSection('checkpoints', 't1'),
      'SET search_path = agents, pg_catalog;\n',
      checkpointSection('checkpoints', 't1'),
    );
    const schemas = (await readAll(chunked(text))).map((rows) => rows.schema);
    expect(schemas).toEqual(['agents', 'public']);
  });

  test('the databases of one pg_dumpall are kept apart', async () => {
    const text = `\\connect one\n${wholeDump(checkpoints)}\n\\connect "the ""other"""\n${wholeDump(checkpoints)}`;
    const schemas = (await readAll(chunked(text))).map((rows) => rows.schema);
    expect(schemas).toEqual(['one.public', 'the "other".public']);
  });

  test('the rows of partitions belong to their table, also where a partition has partitions', async () => {
    const text = wholeDump(
      "ALTER TABLE ONLY public.checkpoints ATTACH PARTITION public.part_a FOR VALUES IN ('a');\n",
      'ALTER TABLE ONLY public.part_a ATTACH PARTITION public.part_b DEFAULT;\n',
      checkpointSection('public.part_a', 't1'),
      checkpointSection('public.part_b', 't2'),
      checkpointSection('public.part_c', 't3'),
      checkpointSection('public.checkpoints', 't4'),
    );
    expect(threadIds(await readAll(chunked(text)))).toEqual(['t1', 't2', 't4']);
  });

  test('another program’s table of the same name is left alone', async () => {
    const text = wholeDump(
      copySection('training.checkpoints', 'epoch, path', [['1', '/tmp/1']]),
      "INSERT INTO training.checkpoints (epoch, path) VALUES (2, now());\nINSERT INTO x.t VALUES ('a');\n",
      checkpoints,
    );
    expect(await readAll(chunked(text))).toMatchObject([{ thread: 't1', schema: null }]);
  });
});

describe('what only looks like a statement or a section', () => {
  const trap = `x\n${checkpointSection('public.checkpoints', 'trap')}`;

  test.each<[string, string]>([
    ['in a column of another table', copySection('public.notes', 'id, body', [['1', trap]])],
    [
      'as a line of another table’s data',
      `COPY public.notes (body) FROM stdin;\n${trap.replaceAll('\\', '\\\\')}\\.\n`,
    ],
    ['in a string', `INSERT INTO public.notes VALUES ('${trap}');\n`],
    ['in a dollar string', `CREATE FUNCTION f() RETURNS text AS $$${trap}$$ LANGUAGE sql;\n`],
    ['in a block comment', `/*\n${trap}*/\n`],
    ['in a line comment', `-- ${trap.replaceAll('\n', ' ')}\n`],
    [
      'in a function’s body of SQL standard form',
      'CREATE FUNCTION f(t text) RETURNS void LANGUAGE sql BEGIN ATOMIC\n INSERT INTO public.checkpoints (thread_id) VALUES (f.t);\nEND;\n',
    ],
    [
      'in the comment of a table',
      `COMMENT ON TABLE public.checkpoints IS 'COPY public.checkpoints FROM stdin;\n';\n`,
    ],
  ])('%s', async (_, part) => {
    expect(threadIds(await readAll(chunked(wholeDump(part, checkpoints, part))))).toEqual(['t1']);
  });

  test('in a thread’s id', async () => {
    const text = wholeDump(
      checkpointSection('public.checkpoints', trap, '\\.', '\\N', 'tab\tand\\backslash'),
    );
    expect(threadIds(await readAll(chunked(text)))).toEqual(
      ['\\.', '\\N', 'tab\tand\\backslash', trap].sort(),
    );
  });
});

describe('INSERTs', () => {
  const values = (thread: string): string =>
    `'${thread}', '', 'c1', NULL, NULL, '{"v": 4, "channel_versions": {}, "versions_seen": {}}', '{"step": -1}'`;

  test('with and without column names, one row or several a statement', async () => {
    const text = wholeDump(
      `CREATE TABLE public.checkpoints (${checkpointColumns.replaceAll(',', ' text,')} jsonb);`,
      `INSERT INTO public.checkpoints VALUES (${values("a''b")});`,
      `INSERT INTO public.checkpoints (${checkpointColumns}) VALUES (${values('c')}), (${values('d')}) ON CONFLICT DO NOTHING;`,
      `INSERT INTO public.checkpoint_blobs (${blobColumns}) VALUES ('c', '', 'steps', '1', 'json', '\\x5b5d'::bytea);`,
    );
    const threads = await readAll(chunked(text));
    expect(threadIds(threads)).toEqual(["a'b", 'c', 'd']);
    expect(threads[1]).toMatchObject({ blobs: [{ value: { bytes: Buffer.from('[]') } }], writes: null });
  });

  test('without any column names, LangGraph’s own order is taken', async () => {
    const text = `INSERT INTO public.checkpoints VALUES (${values('t')});
      INSERT INTO public.checkpoint_writes VALUES ('t', '', 'c1', 'k', -1, '__error__', 'json', '\\x7b7d', '~p');`;
    expect(await readAll(chunked(text))).toMatchObject([
      { checkpoints: [{ step: -1 }], writes: [{ index: -1, taskPath: '~p' }] },
    ]);
  });

  test('with the backslashes of a server whose strings escape', async () => {
    const text = `SET standard_conforming_strings = off;
      INSERT INTO public.checkpoints VALUES (${values('a\\\\b')});
      INSERT INTO public.checkpoint_blobs VALUES ('a\\\\b', '', 'steps', '1', 'bytes', '\\\\x01');`;
    expect(await readAll(chunked(text))).toMatchObject([
      { thread: 'a\\b', blobs: [{ value: { bytes: Buffer.of(1) } }] },
    ]);
  });
});

describe('line breaks and marks of other systems', () => {
  test('CRLF and a UTF-8 mark change nothing', async () => {
    const text = wholeDump(checkpoints, copySection('public.checkpoint_blobs', blobColumns, [blob]));
    const windows = `\u{feff}${text.replaceAll('\n', '\r\n')}`;
    expect(await readAll(chunked(windows))).toEqual(await readAll(chunked(text)));
  });

  test('a bytea in escape format is read like one in hex', async () => {
    const escaped = copySection('public.checkpoint_blobs', blobColumns, [
      ['t1', '', 'steps', '2', 'bytes', 'a\\\\\\001'],
    ]);
    expect(await readAll(chunked(wholeDump(checkpoints, escaped)))).toMatchObject([
      { blobs: [{ value: { bytes: Buffer.from('a\\\x01') } }] },
    ]);
  });
});

describe('chunks', () => {
  const text = wholeDump(
    "SELECT pg_catalog.set_config('search_path', '', false);\n",
    "/* a ; comment */ COMMENT ON TABLE public.checkpoints IS 'it''s \";';\n",
    checkpointSection('public.checkpoints', 'ä\t1', '\\.', 'x\n'),
    copySection('public.notes', 'body', [['\\.'], ['COPY public.checkpoints FROM stdin;\n']]),
    "INSERT INTO public.checkpoint_blobs VALUES ('ä\t1', '', 'steps', '2', E'json', $$\\x5b5d$$);\n",
    copySection('public.checkpoint_writes', writeColumns, [write]),
  );

  test('of one byte each give the same rows as the whole text at once', async () => {
    expect(await readAll(chunked(text, [1]))).toEqual(await readAll(chunked(text, [1 << 20])));
  });

  test('of any sizes give the same rows', async () => {
    const whole = await readAll(chunked(text, [1 << 20]));
    expect(whole.length).toBe(4);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), async (sizes) => {
        expect(await readAll(chunked(text, sizes))).toEqual(whole);
      }),
    );
  });

  test('a dump cut off anywhere is refused, never read as a shorter one', async () => {
    const bytes = Buffer.from(text);
    const complete = bytes.indexOf('complete') + 'complete'.length;
    for (let length = 0; length < complete; length += 1) {
      const failure = await failureOf(chunked(bytes.subarray(0, length)));
      expect(failure, `after ${length} bytes`).toMatchObject({ name: 'OperatorError' });
    }
    expect(await failureOf(chunked(bytes.subarray(0, complete)))).toBeNull();
  });
});
