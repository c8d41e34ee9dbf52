import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import { neutralLine, type NeutralRow } from './neutral-rows.ts';
import { chunked, failureOf, readAll } from './testing/read-all.ts';

const checkpoint = {
  table: 'checkpoints',
  thread_id: 't"1\n',
  checkpoint_ns: '',
  checkpoint_id: 'c1',
  parent_checkpoint_id: null,
  checkpoint: '{"v": 4, "channel_versions": {"__proto__": 2}, "versions_seen": {"__proto__": {"a": 1}}}',
  metadata: '{"source": "loop", "step": 3}',
} as const satisfies NeutralRow;
const blob: NeutralRow = {
  table: 'checkpoint_blobs',
  thread_id: 't"1\n',
  checkpoint_ns: '',
  channel: 'steps',
  version: '2',
  type: 'bytes',
  blob: Uint8Array.of(0, 255, 10),
};
const write: NeutralRow = {
  table: 'checkpoint_writes',
  thread_id: 't"1\n',
  checkpoint_ns: 'sub:x',
  checkpoint_id: 'c1',
  task_id: 'k',
  idx: -3,
  channel: '__interrupt__',
  type: null,
  blob: null,
  task_path: '~p',
};
const lines = [write, blob, checkpoint].map(neutralLine).join('');

describe('rows as JSON lines', () => {
  test('are written and read back as they were, in any chunks', async () => {
    const [rows, ...others] = await readAll(chunked(lines, [1]));
    expect(others).toEqual([]);
    expect(rows).toMatchObject({ thread: 't"1\n', schema: null });
    expect(rows?.checkpoints).toMatchObject([{ id: 'c1', parent: null, source: 'loop', step: 3 }]);
    expect(rows?.checkpoints[0]?.channelVersions).toEqual(new Map([['__proto__', 2]]));
    expect(rows?.blobs).toMatchObject([{ version: '2', value: { bytes: Buffer.of(0, 255, 10) } }]);
    expect(rows?.writes).toMatchObject([
      { namespace: 'sub:x', index: -3, taskPath: '~p', value: { type: null, bytes: null } },
    ]);
    expect(await readAll(chunked(lines))).toEqual([rows]);
  });

  test('may be gzipped, begin with a UTF-8 mark, hold blank lines and end without a line break', async () => {
    const odd = `\u{feff}\n${lines.replaceAll('\n', '\r\n\r\n').trimEnd()}`;
    expect(await readAll(chunked(gzipSync(odd)))).toEqual(await readAll(chunked(lines)));
  });

  test('of any text and bytes survive writing and reading', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', '\\', '\n', '\u{2028}', 'ä', '\u{1f600}', '\0'),
    });
    const rows = fc.record({
      thread_id: text,
      channel: text,
      type: fc.option(text),
      bytes: fc.option(fc.uint8Array()),
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 300 }), async ({ bytes, ...columns }, size) => {
        const exported = neutralLine({ ...blob, ...columns, blob: bytes });
        const [read] = await readAll(chunked(neutralLine({ ...checkpoint, ...columns }) + exported, [size]));
        expect(read?.thread).toBe(columns.thread_id);
        const value = { type: columns.type, bytes: bytes === null ? null : Buffer.from(bytes) };
        expect(read?.blobs).toMatchObject([{ channel: columns.channel, value }]);
      }),
    );
  });

  test('without any line of checkpoints are refused', async () => {
    expect(await failureOf(chunked(neutralLine(blob)))).toMatchObject({
      happened: 'the file holds no line of the table checkpoints',
    });
  });

  test('without a line of a table the table counts as absent, not as empty', async () => {
    expect(await readAll(chunked(neutralLine(checkpoint)))).toMatchObject([{ blobs: null, writes: null }]);
  });

  test('are filtered like a dump’s rows', async () => {
    const [rows] = await readAll(chunked(lines), { keptValueBytes: 0 });
    expect(rows?.blobs).toMatchObject([{ value: { bytes: null, omitted: true } }]);
    expect(rows?.writes?.[0]?.value).toEqual({ type: null, bytes: null });
    expect(
      await readAll(chunked(lines + neutralLine({ ...checkpoint, thread_id: 'other' })), {
        threads: new Set(['other']),
      }),
    ).toMatchObject([{ thread: 'other' }]);
  });

  test.each<[string, string, string]>([
    ['a line cut off', neutralLine(checkpoint) + neutralLine(blob).slice(0, 30), 'it is no JSON'],
    ['an unknown table', neutralLine(checkpoint) + '{"table":"store"}', 'table'],
    ['a missing column', neutralLine(checkpoint) + '{"table":"checkpoint_blobs","thread_id":"t"}', 'channel'],
    ['bytes that are no base64', neutralLine(checkpoint) + neutralLine(blob).replace('AP8K', '!!!'), 'blob'],
    [
      'a row of the wrong shape',
      neutralLine(checkpoint) + neutralLine(checkpoint).replace('"step": 3', '"step": "x"'),
      'metadata.step',
    ],
  ])('%s is refused, with its line and byte', async (_, text, problem) => {
    const failure = await failureOf(chunked(text));
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure).toMatchObject({
      place: `test.sql, line 2, byte ${Buffer.byteLength(neutralLine(checkpoint))}`,
    });
    expect((failure as OperatorError).happened).toContain('the line is no checkpoint row');
    expect((failure as OperatorError).happened).toContain(problem);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const bytes = Buffer.from(neutralLine(checkpoint));
    bytes[bytes.indexOf('c1')] = 0xff;
    expect(await failureOf(chunked(bytes))).toMatchObject({ happened: 'the line is not UTF-8' });
  });
});
