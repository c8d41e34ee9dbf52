import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import { DecodeError } from '#analysis/rows/decode-error.ts';
import { copyEncoded } from '../copy-text.ts';
import { RowDecoder, type DecodedRow } from '../row-decoder.ts';
import { CopyRow } from '../row-fields.ts';
import { tableLayout, type TableKind, type TableLayout } from '../table-layout.ts';
import { fixtureBytes } from '../testing/read-all.ts';
import { recordedSets } from '../testing/expected.ts';
import { RowFault } from '../text-field.ts';
import { wantsValue } from '../wanted-values.ts';
import { RecordDecoder } from './record-decoder.ts';
import { formAt, forms, sectionAt } from './record.ts';
import { BlockSorter } from './sort-block.ts';
import { SortedRows } from './sorted-rows.ts';

interface Section {
  readonly layout: TableLayout;
  readonly lines: readonly string[];
}

function layoutOf(kind: TableKind, columns: readonly string[]): TableLayout {
  const layout = tableLayout(kind, columns);
  if (!('kind' in layout)) throw new Error(`columns are missing: ${layout.join(', ')}`);
  return layout;
}

/** What a row is, or what it is refused with. */
type Outcome = DecodedRow | string;

function outcome(decode: () => DecodedRow): Outcome {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RowFault || error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** Lines decoded one by one, each from its text. */
function fromText({ layout, lines }: Section): Outcome[] {
  const decoder = new RowDecoder();
  const fields = new CopyRow();
  return lines.map((line) =>
    outcome(() => {
      const bytes = Buffer.from(line, 'latin1');
      fields.load(bytes, 0, bytes.length);
      if (fields.count !== layout.width) throw new RowFault(`a row has ${fields.count} fields`);
      return decoder.decode(fields, layout);
    }),
  );
}

/** The same lines on their way through a shard, and how many of them were packed. */
function throughShards({ layout, lines }: Section): { readonly rows: Outcome[]; readonly packed: number } {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
  const memory = new ArrayBuffer(text.length);
  text.copy(Buffer.from(memory));
  const ends: number[] = [];
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) ends.push(at + 1);
  const stretches = [{ first: 0, byte: 0, line: 1, row: 1, isOmitted: false }];
  const region = { section: 0, layout, start: 0, ends: Uint32Array.from(ends), stretches };
  const choice = { source: 1, threads: null, keptValueBytes: 1 << 30 };
  const { run } = new BlockSorter(0).sort({ memory, regions: [region] }, choice);
  const sorted = new SortedRows({ rows: run.rows as Uint32Array<ArrayBuffer>, files: [] }, null);
  const decoder = new RecordDecoder(new Map([[0, run.names]]));
  decoder.load(sorted.words);
  const rows: Outcome[] = [];
  let packed = 0;
  for (let from = 0; from < sorted.count;) {
    const to = sorted.groupEnd(from);
    for (let position = from; position < to; position += 1) {
      const at = sorted.at(position);
      if (formAt(sorted.words, at) !== forms.text) packed += 1;
      const line = sorted.words[at + 4] ?? 0;
      rows[line - 1] = outcome(() => decoder.decode(at, sectionAt(sorted.words, at), layout));
    }
    decoder.forget();
    from = to;
  }
  return { rows, packed };
}

/** A packed row keeps values of channels that are read, and that the others have one. */
function asPacked(row: Outcome): Outcome {
  if (typeof row === 'string' || row.table !== 'checkpoints' || row.row.inlineValues === null) return row;
  const inlineValues: CheckpointRow['inlineValues'] = new Map(
    [...row.row.inlineValues].map(([channel, value]) => [channel, wantsValue(channel) ? value : null]),
  );
  return { table: 'checkpoints', row: { ...row.row, inlineValues } };
}

function expectSame(section: Section): number {
  const { rows, packed } = throughShards(section);
  const whole = fromText(section);
  expect(rows.map(asPacked)).toEqual(whole.map(asPacked));
  return packed;
}

function sectionsOf(dump: string): Section[] {
  const sections: Section[] = [];
  const kinds = {
    checkpoints: 'checkpoints',
    checkpoint_blobs: 'blobs',
    checkpoint_writes: 'writes',
  } as const;
  for (const [, table, columns, data] of dump.matchAll(
    /^COPY \w+\.(checkpoints|checkpoint_blobs|checkpoint_writes) \(([^)]*)\) FROM stdin;\n([^]*?)^\\\.$/gm,
  )) {
    const kind = kinds[table as keyof typeof kinds];
    const lines = (data ?? '').split('\n').slice(0, -1);
    sections.push({ layout: layoutOf(kind, (columns ?? '').split(', ')), lines });
  }
  return sections;
}

describe('rows on their way through a shard', () => {
  test.each(recordedSets)('are what their text says, in every table of %s', (set) => {
    let packed = 0;
    let all = 0;
    for (const section of sectionsOf(fixtureBytes(`${set}.sql.gz`).toString('latin1'))) {
      packed += expectSame(section);
      all += section.lines.length;
    }
    expect(all).toBeGreaterThan(0);
    // A way that is never taken would prove nothing.
    expect(packed).toBeGreaterThan(set.startsWith('race') ? 0.99 * all : 0);
  });

  const layout = layoutOf('checkpoints', [
    'thread_id',
    'checkpoint_ns',
    'checkpoint_id',
    'parent_checkpoint_id',
    'type',
    'checkpoint',
    'metadata',
  ]);
  const name = fc.oneof(
    fc.constantFrom(
      'plan',
      'charge',
      '__proto__',
      'constructor',
      'join:a+b:c',
      'branch:to:x',
      'a"b',
      '}',
      '€',
      '',
    ),
    fc.string({ maxLength: 6 }),
  );
  const version = fc.oneof(
    fc.nat({ max: 12 }),
    fc.constantFrom(0, -1, 1.5, 1e9, 1e21, 999_999_999, 1_000_000_000),
    fc
      .tuple(fc.nat({ max: 20_000_000 }), fc.stringMatching(/^\d{1,20}$/))
      .map(([count, digits]) => `${String(count).padStart(32, '0')}.0.${digits}`),
    fc.constantFrom('', '1', '00000000000000000000000000000002.1.5', null),
  );
  const versions = fc.dictionary(name, version, { maxKeys: 4 });
  const checkpoint = fc.record(
    {
      v: fc.constantFrom(1, 4, 12, null),
      id: fc.constant('c1'),
      ts: fc.constantFrom('2026-11-01T00:01:39.051Z', '2026-11-01T00:01:38.883023+00:00', '', null),
      versions_seen: fc.dictionary(name, versions, { maxKeys: 4 }),
      channel_values: fc.oneof(fc.constant(null), fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }))),
      channel_versions: versions,
      updated_channels: fc.array(name),
    },
    { requiredKeys: [] },
  );
  const metadata = fc.record(
    {
      step: fc.constantFrom(-1, 0, 7, 'x'),
      source: fc.constantFrom('loop', 'input', 'update', 'odd'),
      parents: fc.dictionary(name, fc.string({ maxLength: 4 }), { maxKeys: 2 }),
      user: fc.string(),
    },
    { requiredKeys: [] },
  );
  const id = fc.constantFrom(
    '1f1d5876-9481-6a16-800a-8bd5fc6c3894',
    '1f1d5876-9481-6a16-800a-8bd5fc6c3895',
    'c',
    'é\t',
  );
  const row = fc.tuple(
    fc.constantFrom('t1', 't2', 'naïve\\'),
    fc.constantFrom('', 'a:b'),
    id,
    fc.option(id),
    checkpoint,
    metadata,
  );

  test('are what their text says, whatever the text, deltas among them', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.boolean(), (rows, isSpaced) => {
        const lines = rows.map(([thread, namespace, checkpointId, parent, body, meta]) => {
          const [bodyText, metaText] = [printed(body, isSpaced), printed(meta, isSpaced)];
          const fields = [thread, namespace, checkpointId, parent, null, bodyText, metaText];
          return fields
            .map((field) => copyEncoded(field === null ? null : Buffer.from(field)).toString('latin1'))
            .join('\t');
        });
        expectSame({ layout, lines });
      }),
      { numRuns: 300 },
    );
  });

  test('are refused with what their text is refused with, wherever a byte is damaged', () => {
    const [section] = sectionsOf(fixtureBytes('race-py.sql.gz').toString('latin1')).filter(
      ({ layout: { kind } }) => kind === 'checkpoints',
    );
    const line = section?.lines[5] ?? '';
    fc.assert(
      fc.property(fc.nat({ max: line.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
        const damaged = line.slice(0, at) + String.fromCharCode(byte) + line.slice(at + 1);
        if (section === undefined || damaged.includes('\n')) return;
        const lines = [line, damaged, line];
        expectSame({ layout: section.layout, lines });
      }),
      { numRuns: 2_000 },
    );
  });
});

/** JSON, with spaces where Postgres prints them or with none. */
function printed(value: unknown, isSpaced: boolean): string {
  const text = JSON.stringify(value);
  if (!isSpaced) return text;
  let out = '';
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|[:,]|[^":,]+/g)) {
    out += piece === ':' || piece === ',' ? `${piece} ` : piece;
  }
  return out;
}
