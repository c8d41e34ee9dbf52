import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyseThread, noTools } from '../analyse.ts';
import { gatherFacts } from '../anomalies/gather.ts';
import { invariant } from '../model/bug.ts';
import type { CheckpointRow } from '../model/checkpoint.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { ThreadId } from '../model/identifiers.ts';
import { decodeCheckpoint } from '../rows/decode-checkpoint.ts';
import { drawNamespace, mostLanes, type Drawing, type DrawingChoice } from './drawing.ts';
import { pictureThread, type PicturedNamespace } from './picture.ts';

const thread = 'drawn' as ThreadId;

function checkpoint(id: number, parent: number | null, source = 'loop', step = id - 1): CheckpointRow {
  const name = (number: number): string => `1f1ed063-${String(number).padStart(6, '0')}`;
  return decodeCheckpoint({
    thread_id: thread,
    checkpoint_ns: '',
    checkpoint_id: name(id),
    parent_checkpoint_id: parent === null ? null : name(parent),
    checkpoint: { v: 4, channel_versions: { state: id + 1 }, versions_seen: {} },
    metadata: { source, step, parents: {} },
  });
}

function pictured(checkpoints: readonly CheckpointRow[]): PicturedNamespace {
  const evidence: ThreadEvidence = {
    rows: { thread, schema: null, checkpoints, blobs: [], writes: [] },
    log: null,
    runs: null,
  };
  const options = { rules: [] };
  const report = analyseThread(evidence, options);
  const [namespace] = pictureThread(gatherFacts(evidence, options, noTools), report).namespaces;
  invariant(namespace !== undefined, 'rows make a namespace');
  return namespace;
}

const everything: DrawingChoice = { order: 'time', expand: false, around: null, notable: new Set() };
const draw = (rows: readonly CheckpointRow[], choice: Partial<DrawingChoice> = {}): Drawing =>
  drawNamespace(pictured(rows), { ...everything, ...choice });

/** Rows of a drawing by index, in the order of its lines. */
const rowsOf = ({ lines }: Drawing): number[] =>
  lines.flatMap(({ item }) =>
    item.kind === 'row' ? [item.row.at] : item.kind === 'gap' ? item.rows.map(({ at }) => at) : [],
  );

/** Any forest of rows: roots, rows under absent parents, children that sort before their parents. */
const forests: fc.Arbitrary<readonly CheckpointRow[]> = fc
  .array(
    fc.record({
      above: fc.integer({ min: -2, max: 40 }),
      source: fc.constantFrom('loop', 'loop', 'loop', 'input', 'update'),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .chain((specs) =>
    fc
      .shuffledSubarray(
        specs.map((_, at) => at),
        { minLength: specs.length },
      )
      .map((ids) =>
        specs.map(({ above, source }, at) => {
          const parent =
            above === -2 ? 900 + (at % 2) : above < 0 || at === 0 ? null : (ids[above % at] ?? null);
          return checkpoint(ids[at] ?? at, parent, source);
        }),
      ),
  );

const choices = fc.record({
  order: fc.constantFrom('time' as const, 'lineage' as const),
  expand: fc.boolean(),
  around: fc.constant(null),
  notable: fc.constant(new Set<never>()),
});

const chain = (length: number): CheckpointRow[] =>
  Array.from({ length }, (_, at) => checkpoint(at, at === 0 ? null : at - 1));

describe('a drawing', () => {
  test('shows every checkpoint once, on a line or in a run taken together', () => {
    fc.assert(
      fc.property(forests, choices, (rows, choice) => {
        const drawn = rowsOf(draw(rows, choice));
        expect(drawn.toSorted((a, b) => a - b)).toEqual(rows.map((_, at) => at));
      }),
    );
  });

  test('does not depend on the order of rows', () => {
    fc.assert(
      fc.property(forests, choices, (rows, choice) => {
        expect(draw(rows.toReversed(), choice)).toEqual(draw(rows, choice));
      }),
    );
  });

  test('takes nothing together that branches, is a head, or is asked for in full', () => {
    fc.assert(
      fc.property(forests, (rows) => {
        for (const { item } of draw(rows).lines) {
          if (item.kind !== 'gap' || item.children !== null) continue;
          expect(item.rows.every(({ fork, isHead, isLeaf }) => fork === null && !isHead && !isLeaf)).toBe(
            true,
          );
        }
        expect(draw(rows, { expand: true }).lines.every(({ item }) => item.kind !== 'gap')).toBe(true);
      }),
    );
  });

  test('gives a fork of the empty thread, and one of an absent row, a line to branch from', () => {
    const { lines } = draw([
      checkpoint(1, null),
      checkpoint(2, null),
      checkpoint(3, 900),
      checkpoint(4, 900),
    ]);
    const parents = lines.flatMap(({ item }) => (item.kind === 'rootless' ? [item.parent] : []));
    expect(parents).toEqual([null, '1f1ed063-000900']);
    expect(lines.map(({ lane }) => lane.from)).toEqual([null, 0, null, null, 0, null]);
  });

  test('of a long conversation is short, and says what it took together', () => {
    const { lines } = draw(chain(10_000));
    expect(lines.map(({ item }) => item.kind)).toEqual(['row', 'row', 'row', 'gap', 'row', 'row', 'row']);
    expect(rowsOf(draw(chain(10_000)))).toHaveLength(10_000);
  });

  test('around a row shows its neighbours one by one and counts the lines it leaves out', () => {
    const { lines } = draw(chain(10_000), { around: 5_000 });
    const single = lines.flatMap(({ item }) => (item.kind === 'row' ? [item.row.at] : []));
    expect(single).toEqual(expect.arrayContaining(Array.from({ length: 17 }, (_, nth) => 4_992 + nth)));
    expect(lines.length).toBeLessThanOrEqual(25);
    const expanded = draw(chain(1_000), { around: 500, expand: true });
    expect([expanded.linesBefore, expanded.lines.length, expanded.linesAfter]).toEqual([488, 25, 487]);
  });

  test('goes branch by branch where time would put too many branches side by side', () => {
    const branchesOfTwo = (count: number): CheckpointRow[] => [
      checkpoint(0, null),
      ...Array.from({ length: count }, (_, at) => checkpoint(1 + at, 0)),
      ...Array.from({ length: count }, (_, at) => checkpoint(1 + count + at, 1 + at)),
    ];
    expect(draw(branchesOfTwo(mostLanes)).order).toBe('time');
    const wide = draw(branchesOfTwo(200));
    expect([wide.order, wide.lanes]).toEqual(['lineage', 2]);
  });
});

describe('a wide fork', () => {
  const count = 10_000;
  /** A root and its children by number from 1, in the order of their ids; `under` gives a child a child. */
  const star = (children: number, under: readonly number[] = [], source = 'loop'): CheckpointRow[] => [
    checkpoint(0, null),
    ...Array.from({ length: children }, (_, at) => checkpoint(1 + at, 0, 'loop', 0)),
    ...under.map((child, nth) => checkpoint(children + 1 + nth, child, source, 1)),
  ];
  const single = ({ lines }: Drawing): number[] =>
    lines.flatMap(({ item }) => (item.kind === 'row' ? [item.row.at] : []));
  const taken = ({ lines }: Drawing): (readonly [number | null, number])[] =>
    lines.flatMap(({ item }) => (item.kind === 'gap' ? [[item.children, item.rows.length] as const] : []));

  test('shows the first and the last children and one line for the others', () => {
    const drawing = draw(star(count));
    expect(single(drawing)).toEqual([0, 1, 2, 3, 9_998, 9_999, 10_000]);
    expect(taken(drawing)).toEqual([[9_994, 9_994]]);
    expect(rowsOf(drawing)).toHaveLength(count + 1);
    expect(drawing.lanes).toBe(2);
  });

  test('of the empty thread, and of an absent row, is taken together too', () => {
    for (const parent of [null, 99_999]) {
      const drawing = draw(Array.from({ length: 500 }, (_, at) => checkpoint(at, parent, 'input', -1)));
      expect(taken(drawing)).toEqual([[494, 494]]);
      expect(drawing.lines.at(0)?.item.kind).toBe('rootless');
    }
  });

  test('shows the branch of the head, wherever it grows', () => {
    const drawing = draw(star(count, [5_000]));
    expect(single(drawing)).toEqual(expect.arrayContaining([5_000, count + 1]));
    expect(taken(drawing)).toEqual([[9_993, 9_993]]);
  });

  test('shows the neighbours of the row that was asked for, also when that lies below a child', () => {
    // Two rows below children: the later one is the head, the earlier one is asked for.
    const rows = star(count, [7_000, 2]);
    const byChild = single(draw(rows, { around: 7_000 }));
    const byGrandchild = single(draw(rows, { around: count + 1 }));
    for (const shown of [byChild, byGrandchild]) {
      expect(shown).toContain(7_000);
    }
    expect(byChild).toEqual(expect.arrayContaining(Array.from({ length: 12 }, (_, nth) => 6_992 + nth)));
    expect(draw(rows, { around: 7_000 }).lines.length).toBeLessThanOrEqual(25);
  });

  test('shows some branches in which something stands out, and takes the others with all that is below', () => {
    const updated = Array.from({ length: 100 }, (_, nth) => 1_000 + nth);
    const drawing = draw(star(count, updated, 'update'));
    // The last update is the head; eight more stand for the rest.
    expect(single(drawing).filter((at) => at > count)).toHaveLength(9);
    expect(taken(drawing)).toEqual([[count - 6 - 9, count - 6 - 9 + 91]]);
  });

  test('is drawn child by child when it is not that wide, or when all is asked for', () => {
    expect(taken(draw(star(16)))).toEqual([]);
    expect(taken(draw(star(17)))).toEqual([[11, 11]]);
    expect(taken(draw(star(100), { expand: true }))).toEqual([]);
  });

  test('loses no row and hides no head, whatever hangs where', () => {
    const wideForests = fc
      .record({
        children: fc.integer({ min: 17, max: 40 }),
        under: fc.array(fc.nat(), { maxLength: 40 }),
      })
      .map(({ children, under }) => [
        ...star(children),
        ...under.map((above, nth) => checkpoint(children + 1 + nth, above % (children + 1 + nth), 'loop', 1)),
      ]);
    fc.assert(
      fc.property(wideForests, choices, fc.nat(), (rows, choice, pick) => {
        const around = pick % rows.length;
        expect(rowsOf(draw(rows, choice)).toSorted((a, b) => a - b)).toEqual(rows.map((_, at) => at));
        const drawing = draw(rows, { ...choice, around });
        expect(single(drawing)).toContain(around);
        const whole = draw(rows, choice);
        expect(whole.lines.some(({ item }) => item.kind === 'row' && item.row.isHead)).toBe(true);
      }),
    );
  });
});
