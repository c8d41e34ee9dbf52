import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { parseEffectsMap } from './effects-map.ts';
import { readEffectsLog } from './effects-log.ts';
import { csvText, jsonLines, LogFolder, recordsOf } from './testing/log-files.ts';

const folder = new LogFolder();
afterAll(() => {
  folder[Symbol.dispose]();
});

const map = parseEffectsMap(['thread=session,node=what.name,time=at,key=booking,worker=pid,sequence=n']);
const foreign = [
  { session: 't"1', what: { name: '__proto__' }, at: '2026-11-30T21:37:06Z', booking: 7, pid: 12, n: 1 },
  { session: '\u001b[31m\n', what: { name: 'mail' }, at: 1796074627, booking: null, pid: 12, n: 3 },
];
const text = foreign.map((record) => `${JSON.stringify(record)}\n`).join('');

async function failure(
  name: string,
  content: string | Uint8Array,
  given: string | null = null,
): Promise<string> {
  const file = folder.write(name, content);
  try {
    await readEffectsLog(file, given === null ? null : parseEffectsMap([given]));
    return 'it was read';
  } catch (error) {
    return (error as Error).message.replaceAll(folder.path, '');
  }
}

describe('an effect log', () => {
  test.each(['race-js', 'race-py', 'zoo-js', 'zoo-py'])(
    'of %s is the same as JSON lines, as CSV, and packed',
    async (set) => {
      const records = recordsOf(set);
      const { byThread, mapping } = await readEffectsLog(folder.write('a.jsonl', jsonLines(records)), null);
      expect(mapping.origin).toBe('langgraph');
      expect([...byThread.values()].flat()).toHaveLength(records.length);
      const csv = csvText(records);
      for (const [name, content] of [
        ['b.csv', csv],
        ['c', csv],
        ['d.tsv', csvText(records, '\t')],
        ['e.csv.gz', gzipSync(csv)],
        ['f.log', gzipSync(jsonLines(records))],
      ] as const) {
        expect((await readEffectsLog(folder.write(name, content), null)).byThread).toEqual(byThread);
      }
    },
  );

  test('gives the namespace of the rows, not of the task', async () => {
    const line = { thread: 't', node: 'inner', ts: 1796074627, checkpoint_ns: 'sub:1|inner:2' };
    const file = folder.write(
      'ns.jsonl',
      `${JSON.stringify(line)}\n${JSON.stringify({ ...line, checkpoint_ns: 'inner:2' })}\n`,
    );
    const { byThread } = await readEffectsLog(file, null);
    expect([...byThread.values()].flat().map(({ namespace }) => namespace)).toEqual(['sub:1', '']);
  });

  test('of any shape is read by its mapping, inside objects too', async () => {
    const log = await readEffectsLog(folder.write('foreign.jsonl', text), map);
    expect([...log.byThread.values()].flat()).toMatchObject([
      {
        thread: 't"1',
        node: '__proto__',
        wallMs: 1796074626000,
        businessKey: '7',
        worker: '12',
        parent: null,
      },
      { thread: '\u001b[31m\n', node: 'mail', wallMs: 1796074627000, businessKey: null },
    ]);
    expect(log.health).toEqual({ lost: [{ worker: '12', missing: [2] }], indeterminate: [] });
    expect(log.names.map(({ name, hasIds }) => [name, hasIds])).toEqual([
      ['__proto__', false],
      ['mail', false],
    ]);
  });

  test('takes an empty cell for nothing, and for the root where it is a namespace', async () => {
    const file = folder.write('empty.csv', 'session,what,ns,run\nt,plan,,\n');
    const given = parseEffectsMap(['thread=session,node=what,namespace=ns,run=run']);
    const { byThread } = await readEffectsLog(file, given);
    expect([...byThread.values()].flat()).toMatchObject([{ namespace: '', run: null }]);
  });

  test.each<[string, string, string, string | null, string]>([
    [
      'a mapped field that no record has',
      'a.jsonl',
      text,
      'thread=session,node=what.name,run=rum',
      'no record has the field rum, which --effects-map names as the run (/a.jsonl). Expected one of session, what, at, booking, pid, n.',
    ],
    [
      'a mapped thread that no record has',
      'a.csv',
      'x,y\n1,2\n',
      'thread=z,node=y',
      'no record has the field z',
    ],
    ['unknown fields', 'a.jsonl', text, null, "the log's fields are not known: session, what, at"],
    [
      'a line that is no JSON',
      'a.jsonl',
      `${text}{"session"`,
      'thread=session,node=what.name',
      'the line is no JSON (/a.jsonl, line 3)',
    ],
    [
      'a line that is no object',
      'a.jsonl',
      `${text}[1]\n`,
      'thread=session,node=what.name',
      '/a.jsonl, line 3',
    ],
    [
      'a record without its thread',
      'a.jsonl',
      `${text}{"what":{"name":"x"}}\n`,
      'thread=session,node=what.name',
      "the field session does not decode as the effect's thread (/a.jsonl, line 3)",
    ],
    [
      'a time that is none',
      'a.csv',
      's,n,t\nx,y,noon\n',
      'thread=s,node=n,time=t',
      "the field t does not decode as the effect's time (/a.csv, line 2)",
    ],
    ['a row with too many cells', 'a.csv', 's,n\nx,y\nx,y,z\n', 'thread=s,node=n', 'at line 3'],
    ['a column named twice', 'a.csv', 's,n,s\nx,y,z\n', 'thread=s,node=n', 'the column s twice'],
    ['a header alone', 'a.csv', 's,n\n', 'thread=s,node=n', 'the log holds no record'],
    ['nothing', 'a.jsonl', '', null, 'the log holds no record'],
    [
      'a sequence that counts nothing',
      'a.csv',
      's,n,w,q\nx,y,w,1796074626\n',
      'thread=s,node=n,worker=w,sequence=q',
      'numbers that count 1, 2, 3',
    ],
  ])('with %s is refused', async (_, name, content, given, message) => {
    expect(await failure(name, content, given)).toContain(message);
  });

  test('that is cut off or absent is refused', async () => {
    expect(await failure('cut.gz', gzipSync(text.repeat(50)).subarray(0, 60))).toContain(
      'damaged or cut off',
    );
    await expect(readEffectsLog('/nowhere/log.csv', null)).rejects.toThrow('there is no such file');
  });
});
