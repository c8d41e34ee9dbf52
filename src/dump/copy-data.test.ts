import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChunkJoiner } from './chunk-joiner.ts';
import { CopyData } from './copy-data.ts';
import { DumpTables } from './dump-tables.ts';
import type { LinePlace, RowSink } from './row-sink.ts';
import { chunked, readAll } from './testing/read-all.ts';
import { checkpointSection, wholeDump, writeColumns } from './testing/small-dump.ts';

interface Taken {
  readonly line: string;
  readonly isLong: boolean;
  readonly place: LinePlace;
}

const columns = [...writeColumns.split(', '), 'task_path'];
const valueAt = columns.indexOf('blob');

/** What a sink gets of a section's data that comes in chunks; `limit`: bytes of a long line. */
function taken(data: Buffer, sizes: readonly number[], limit: number): { rows: Taken[]; isOver: boolean } {
  const rows: Taken[] = [];
  const sink: RowSink = {
    announce: () => undefined,
    lines: (_, bytes, start, ends, place) => {
      let at = start;
      for (const [turn, end] of ends.entries()) {
        const { byte, line, row } = place;
        const own = { byte: byte + at - start, line: line + turn, row: row + turn };
        rows.push({ line: bytes.toString('latin1', at, end), isLong: false, place: own });
        at = end;
      }
    },
    longLine: (_, line, place) => {
      rows.push({ line: line.toString('latin1'), isLong: true, place });
    },
  };
  const section = new DumpTables().section({ schema: null, table: 'checkpoint_writes' }, columns);
  const copy = new CopyData(section, sink, 0, 1, limit);
  const joiner = new ChunkJoiner((bytes, isLast) => {
    let at = 0;
    for (let from = -1; from !== at;) {
      from = at;
      if (!copy.isOver) at = copy.take(bytes, from, isLast);
    }
    return at;
  });
  for (let at = 0, turn = 0; at < data.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    joiner.write(data.subarray(at, at + size));
    at += size;
  }
  joiner.end();
  return { rows, isOver: copy.isOver };
}

describe('lines whose value is stepped over', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'é', '\\\\', '\\t', ' '), maxLength: 12 });
  const row = fc.tuple(fc.array(field, { minLength: 9, maxLength: 9 }), fc.integer({ min: 0, max: 700 }));
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });

  test('keep all other fields and their place, whatever the chunks', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 8 }),
        sizes,
        // Below 4 the line that ends the data would itself be a long one when a chunk cuts it.
        fc.integer({ min: 4, max: 200 }),
        (made, chunks, limit) => {
          const lines = made.map(([fields, length]) =>
            fields.with(valueAt, `\\\\x${'5b'.repeat(length)}`).join('\t'),
          );
          const cut = made.map(([fields]) => fields.with(valueAt, '\\\\x').join('\t'));
          const text = lines.map((line) => `${line}\n`);
          const { rows, isOver } = taken(Buffer.from(`${text.join('')}\\.\n`), chunks, limit);
          expect(isOver).toBe(true);
          let byte = 0;
          const expected = lines.map((line, index) => {
            const place = { byte, line: index + 1, row: index + 1 };
            byte += Buffer.byteLength(line) + 1;
            return { line: rows[index]?.isLong === true ? cut[index] : line, place };
          });
          const found = rows.map(({ line, place }) => ({
            line: Buffer.from(line, 'latin1').toString().replace(/\n$/, ''),
            place,
          }));
          expect(found).toEqual(expected);
        },
      ),
    );
  });

  test('are met: a line beyond the limit comes without its value, a shorter one with it', () => {
    const line = (value: string): string => ['t', '', 'c', 'k', '0', 'ch', 'json', value, '~p'].join('\t');
    const data = Buffer.from(`${line('\\\\x5b5d')}\n${line(`\\\\x${'5b'.repeat(500)}`)}\n\\.\n`);
    const { rows } = taken(data, [50], 100);
    expect(rows.map(({ line: text, isLong }) => [text, isLong])).toEqual([
      [`${line('\\\\x5b5d')}\n`, false],
      [`${line('\\\\x')}\n`, true],
    ]);
  });

  test('of 17 MB have the path of their task behind the value, and say that the value was left out', async () => {
    const value = `\\\\x${'5b'.repeat((17 << 20) / 2)}`;
    const fields = ['t1', '', 'c1', 'task', '0', 'messages', 'json', value, '~path'];
    const section = `COPY public.checkpoint_writes (${columns.join(', ')}) FROM stdin;\n${fields.join('\t')}\n\\.\n`;
    const text = wholeDump(section, checkpointSection('public.checkpoints', 't1'));
    const [thread] = await readAll(chunked(text, [1_000_003]));
    expect(thread?.writes).toMatchObject([
      { taskPath: '~path', value: { type: 'json', bytes: null, omitted: true } },
    ]);
  });
});
