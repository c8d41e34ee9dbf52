import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant } from '../model/bug.ts';
import { layLanes, lineageOrder, timeOrder, type Forest, type LaneLine } from './lanes.ts';

/** Any forest; a parent may stand later in time than its child. */
const forests: fc.Arbitrary<Forest> = fc
  .array(fc.record({ above: fc.integer({ min: -1, max: 60 }), when: fc.integer({ min: 0, max: 20 }) }), {
    maxLength: 60,
  })
  .map((specs) => ({
    parentOf: specs.map(({ above }, at) => (at === 0 || above < 0 ? -1 : above % at)),
    when: specs.map(({ when }) => when),
  }));

const orders = [
  ['time order', timeOrder],
  ['lineage order', lineageOrder],
] as const;

function lay(forest: Forest, order: (forest: Forest) => number[]): LaneLine[] {
  const lines = layLanes(forest.parentOf, order(forest), Infinity);
  invariant(lines !== null, 'no bound was given');
  return lines;
}

describe.each(orders)('a drawing in %s', (_, order) => {
  test('draws every item once, each parent above its children', () => {
    fc.assert(
      fc.property(forests, (forest) => {
        const lines = lay(forest, order);
        const line = new Map(lines.map(({ item }, at) => [item, at]));
        expect(line.size).toBe(forest.parentOf.length);
        expect(lines.length).toBe(forest.parentOf.length);
        forest.parentOf.forEach((parent, item) => {
          if (parent >= 0) expect(line.get(parent)).toBeLessThan(line.get(item) ?? -1);
        });
      }),
    );
  });

  test('never holds two items in one lane at once', () => {
    fc.assert(
      fc.property(forests, (forest) => {
        const lines = lay(forest, order);
        const line = new Map(lines.map(({ item }, at) => [item, at]));
        // An item holds its lane from its own line to that of its last child, which may take it over.
        const spans = lines.map(({ item, lane }, from) => ({
          lane,
          from,
          to: Math.max(
            from,
            ...forest.parentOf.flatMap((parent, child) => (parent === item ? [line.get(child) ?? 0] : [])),
          ),
        }));
        for (const one of spans) {
          for (const other of spans) {
            if (one.from >= other.from || one.lane !== other.lane) continue;
            expect(one.to <= other.from).toBe(true);
          }
        }
      }),
    );
  });

  test('connects each item to its own parent and to nothing else', () => {
    fc.assert(
      fc.property(forests, (forest) => {
        const holder = new Map<number, number>();
        for (const { item, lane, from, passing, above, below } of lay(forest, order)) {
          const parent = forest.parentOf[item] ?? -1;
          const joins = from ?? (above ? lane : null);
          expect(joins === null ? -1 : holder.get(joins)).toBe(parent);
          expect([...holder.keys()].filter((held) => held !== lane).sort((a, b) => a - b)).toEqual(passing);
          if (below) holder.set(lane, item);
          else holder.delete(lane);
        }
        expect(holder.size).toBe(0);
      }),
    );
  });
});

test('time order draws what happened earlier above, unless its parent came later', () => {
  fc.assert(
    fc.property(forests, (forest) => {
      const order = timeOrder(forest);
      const latestAbove = (item: number): number => {
        let latest = -1;
        for (let at = item; at >= 0; at = forest.parentOf[at] ?? -1)
          latest = Math.max(latest, forest.when[at] ?? 0);
        return latest;
      };
      const moments = order.map(latestAbove);
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    }),
  );
});

test('lineage order keeps to the logarithm of the items in lanes', () => {
  fc.assert(
    fc.property(forests, (forest) => {
      const lanes = Math.max(0, ...lay(forest, lineageOrder).map(({ lane }) => lane + 1));
      expect(lanes).toBeLessThanOrEqual(1 + Math.log2(Math.max(1, forest.parentOf.length)));
    }),
  );
});

describe('drawings of any size', () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

  test('need two lanes for a star of 100,000 children', () => {
    const star: Forest = {
      parentOf: numbers(100_001).map((at) => (at === 0 ? -1 : 0)),
      when: numbers(100_001),
    };
    for (const [, order] of orders) expect(layLanes(star.parentOf, order(star), 2)).toHaveLength(100_001);
  });

  test('need one lane for a chain of 100,000 items', () => {
    const chain: Forest = { parentOf: numbers(100_000).map((at) => at - 1), when: numbers(100_000) };
    expect(layLanes(chain.parentOf, lineageOrder(chain), 1)).toHaveLength(100_000);
  });

  test('are given up when they would be too wide', () => {
    // A hundred branches that all go on at the end.
    const wide: Forest = {
      parentOf: [-1, ...numbers(100).map(() => 0), ...numbers(100).map((at) => at + 1)],
      when: numbers(201),
    };
    expect(layLanes(wide.parentOf, timeOrder(wide), 12)).toBeNull();
    expect(layLanes(wide.parentOf, lineageOrder(wide), 12)).toHaveLength(201);
  });
});
