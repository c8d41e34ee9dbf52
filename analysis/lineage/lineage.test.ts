import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckpointRow } from '../model/checkpoint.ts';
import { rootNamespace, type CheckpointId } from '../model/identifiers.ts';
import { decodeCheckpoint } from '../rows/decode-checkpoint.ts';
import { headOf, lineageOf, onHeadLineage } from './head.ts';
import { branchLetter, relabelling, rename } from './relabel.ts';
import { forkedSiblings } from './siblings.ts';
import { childCount, childrenOf, grow, parentRow, rowAt } from './tree.ts';
import { branches, commonAncestor, isAncestor, subtree, walk } from './walk.ts';

const template = decodeCheckpoint({
  thread_id: 't',
  checkpoint_ns: '',
  checkpoint_id: '',
  parent_checkpoint_id: null,
  checkpoint: {},
  metadata: { source: 'loop', step: 0 },
});

function row(id: string, parent: string | null): CheckpointRow {
  return { ...template, id: id as CheckpointId, parent: parent as CheckpointId | null };
}

/** `a>b>c, b>d, x?e`: edges; the first of a chain is a root, `x?e` hangs e on an absent x. */
function rows(drawing: string): CheckpointRow[] {
  const made = new Map<string, CheckpointRow>();
  for (const path of drawing.split(',').map((part) => part.trim())) {
    const absent = path.split('?');
    if (absent[1] !== undefined) {
      made.set(absent[1], row(absent[1], absent[0] ?? ''));
      continue;
    }
    let parent: string | null = null;
    for (const id of path.split('>')) {
      if (!made.has(id)) made.set(id, row(id, parent));
      parent = id;
    }
  }
  return [...made.values()];
}

const tree = (drawing: string): ReturnType<typeof grow> => grow(rootNamespace, rows(drawing));

/** Any forest: each row's parent is NULL, absent, or a row made before it (which may sort after it). */
const forests = fc
  .array(fc.record({ parent: fc.integer({ min: -2, max: 30 }), label: fc.nat({ max: 10_000 }) }), {
    maxLength: 30,
  })
  .map((specs) => {
    const ids = specs.map(({ label }, at) => `${String(label).padStart(5, '0')}-${at}`);
    return specs.map(({ parent }, at) => {
      const above =
        parent === -2 ? `absent-${at % 3}` : parent === -1 ? null : (ids[parent % Math.max(at, 1)] ?? null);
      return row(ids[at] ?? '', at === 0 && parent >= 0 ? null : above);
    });
  });

describe('growing a tree', () => {
  test('keeps the law of forests: leaves = roots + orphans + the surplus of children', () => {
    fc.assert(
      fc.property(forests, (forest) => {
        const grown = grow(rootNamespace, forest);
        let surplus = 0;
        for (let at = 0; at < grown.rows.length; at++) surplus += Math.max(0, childCount(grown, at) - 1);
        expect(grown.leaves.length).toBe(grown.roots.length + grown.orphans.length + surplus);
        expect(new Set(grown.rows).size).toBe(forest.length);
        expect(walk(grown).order.length).toBe(forest.length);
        expect(branches(grown).flatMap((branch) => branch.rows).length).toBe(forest.length);
      }),
    );
  });

  test('does not depend on the order of rows', () => {
    fc.assert(
      fc.property(
        forests.chain((forest) =>
          fc.tuple(fc.constant(forest), fc.shuffledSubarray(forest, { minLength: forest.length })),
        ),
        ([forest, shuffled]) => {
          expect(grow(rootNamespace, shuffled)).toEqual(grow(rootNamespace, forest));
        },
      ),
    );
  });

  test('never loses a fork when a row is added', () => {
    fc.assert(
      fc.property(forests, fc.nat(), (forest, cut) => {
        const fewer = forest.slice(0, cut % (forest.length + 1));
        const parents = (all: readonly CheckpointRow[]): (string | null)[] =>
          forkedSiblings(grow(rootNamespace, all)).map((set) => set.parent);
        expect(parents(forest)).toEqual(expect.arrayContaining(parents(fewer)));
      }),
    );
  });

  test('sees a parent that sorts after its child', () => {
    const inverted = tree('z>a>m');
    expect(rowAt(inverted, headOf(inverted)).id).toBe('z');
    expect(inverted.leaves.map((at) => rowAt(inverted, at).id)).toEqual(['m']);
    expect(parentRow(inverted, 0)?.id).toBe('z');
  });

  test('keeps roots, orphans and rows whose parent is absent apart', () => {
    const mixed = tree('a>b, c, x?d');
    expect(mixed.roots.map((at) => rowAt(mixed, at).id)).toEqual(['a', 'c']);
    expect(mixed.orphans.map((at) => rowAt(mixed, at).id)).toEqual(['d']);
    expect([parentRow(mixed, 0), parentRow(mixed, 3)]).toEqual([null, undefined]);
  });

  test('puts aside rows that repeat an id or are their own ancestor', () => {
    const looped = grow(rootNamespace, [row('a', 'b'), row('b', 'a'), row('c', null), row('c', 'x')]);
    expect(looped.rows.map(({ id }) => id)).toEqual(['c']);
    expect(looped.rejected.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('siblings', () => {
  test('are found under NULL and under a parent whose row is absent', () => {
    const sets = forkedSiblings(tree('a>b, a>c, d, x?e, x?f'));
    expect(sets.map(({ parent, children }) => [parent, children.length])).toEqual([
      [null, 2],
      ['x', 2],
      ['a', 2],
    ]);
  });
});

describe('lineage and ancestry', () => {
  const forked = tree('a>b>c>d, b>e>f');

  test('run from the root to the greatest id', () => {
    expect(lineageOf(forked, headOf(forked)).map((at) => rowAt(forked, at).id)).toEqual(['a', 'b', 'e', 'f']);
    expect([...onHeadLineage(forked)]).toEqual([1, 1, 0, 0, 1, 1]);
  });

  test('agree with the naive walk upwards', () => {
    fc.assert(
      fc.property(forests, (forest) => {
        const grown = grow(rootNamespace, forest);
        const numbering = walk(grown);
        for (let below = 0; below < forest.length; below++) {
          const path = lineageOf(grown, below);
          for (let above = 0; above < forest.length; above++) {
            expect(isAncestor(numbering, above, below)).toBe(path.includes(above));
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('meet at the nearest common ancestor', () => {
    const numbering = walk(forked);
    expect(commonAncestor(forked, numbering, 3, 5)).toBe(1);
    expect([...subtree(numbering, 4)]).toEqual([4, 5]);
    expect(branches(forked).map((branch) => [branch.from, branch.rows.length])).toEqual([
      [-1, 2],
      [1, 2],
      [1, 2],
    ]);
  });
});

describe('very large trees', () => {
  test('need no recursion: a chain of 100,000 and a star of 10,000', () => {
    const id = (at: number): string => String(at).padStart(6, '0');
    const chain = Array.from({ length: 100_000 }, (_, at) => row(id(at), at === 0 ? null : id(at - 1)));
    const grown = grow(rootNamespace, chain.toReversed());
    expect(lineageOf(grown, headOf(grown))).toHaveLength(100_000);
    expect(branches(grown)).toHaveLength(1);
    const star = grow(rootNamespace, [
      row('', null),
      ...chain.slice(1, 10_001).map((each) => ({ ...each, parent: '' as CheckpointId })),
    ]);
    expect(childrenOf(star, 0)).toHaveLength(10_000);
    expect(forkedSiblings(star)[0]?.children).toHaveLength(10_000);
  });
});

describe('relabelling', () => {
  test('names the same text the same, and renames inside sentences, lists and Maps', () => {
    const ids = relabelling('c');
    expect([ids.name('x-1'), ids.name('x-12'), ids.name('x-1')]).toEqual(['c1', 'c2', 'c1']);
    expect(
      rename({ because: 'x-12 follows x-1', list: ['x-1'], map: new Map([['x-1', 'x-12']]) }, ids.names),
    ).toEqual({
      because: 'c2 follows c1',
      list: ['c1'],
      map: new Map([['c1', 'c2']]),
    });
    expect([0, 25, 26, 701, 702].map(branchLetter)).toEqual(['a', 'z', 'aa', 'zz', 'aaa']);
  });
});
