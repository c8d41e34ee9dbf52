import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '#analysis/model/bug.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { GraphShape } from '#analysis/model/invariant.ts';
import { checkRules } from './check-rule.ts';
import { allRules, deriveRules, type DerivedRule } from './derive-rules.ts';
import { mostExcess, mostExcessOfOneRun, threadSpace } from './every-thread.ts';
import { drawnShape as drawn } from './drawn-shape.ts';
import { randomGraph } from './random-graphs.ts';
import { randomThread } from './random-threads.ts';
import { shapeOf, type MachineGraph } from './superstep-machine.ts';

const texts = (rules: readonly DerivedRule[]): string[] => rules.map(({ text }) => text);

describe('the rules of a graph', () => {
  const line = drawn(
    'plan charge notify finish',
    '> plan',
    'plan > charge',
    'charge > notify',
    'notify > finish',
  );

  it('are a chain for a line', async () => {
    expect(texts(await deriveRules(line))).toEqual([
      'plan >= charge',
      'charge >= notify',
      'notify >= finish',
    ]);
    expect(texts(await allRules(line))).toEqual([
      'plan >= charge',
      'plan >= notify',
      'plan >= finish',
      'charge >= notify',
      'charge >= finish',
      'notify >= finish',
    ]);
  });

  it('read in the order of the graph, whatever order the shape lists its nodes in', async () => {
    expect(texts(await deriveRules({ ...line, nodes: [...line.nodes].reverse() }))).toEqual([
      'plan >= charge',
      'charge >= notify',
      'notify >= finish',
    ]);
  });

  it('hold through ways that come back together in one superstep, and not through unequal ones', async () => {
    const equal = drawn('p a b x', '> p', 'p > a', 'p > b', 'a > x', 'b > x');
    expect(texts(await deriveRules(equal))).toEqual(['p >= a', 'p >= b', 'p >= x']);
    const unequal = drawn('p a b c x', '> p', 'p > a', 'p > b', 'b > c', 'a > x', 'c > x');
    expect(texts(await deriveRules(unequal))).toEqual(['p >= a', 'p >= b', 'b >= c']);
  });

  it('of a loop bound the node that only the loop starts', async () => {
    const agent = drawn('agent tools', '> agent', 'agent > tools', 'tools > agent');
    expect(texts(await deriveRules(agent))).toEqual(['agent >= tools']);
  });

  it('bound no node that repeats itself', async () => {
    expect(texts(await deriveRules(drawn('a b', '> a', 'a > b', 'b > b')))).toEqual([]);
  });

  it('of a barrier bound its target by every source, but not across forks', async () => {
    const joined = drawn('p a b x y', '> p', 'p > a', 'p > b', 'a + b > x', 'x > y');
    const rules = await deriveRules(joined);
    expect(rules.map(({ text, holdsAcrossForks }) => [text, holdsAcrossForks])).toEqual([
      ['p >= a', true],
      ['p >= b', true],
      ['a >= x', false],
      ['b >= x', false],
      ['x >= y', true],
    ]);
  });

  it('count a plain edge beside a barrier as a start of its own', async () => {
    expect(texts(await deriveRules(drawn('p a b x', '> p', 'p > a', 'p > b', 'a + b > x', 'a > x')))).toEqual(
      ['p >= a', 'p >= b'],
    );
  });

  it('do not rest on a deferred node across forks, nor count on its superstep', async () => {
    const rules = await deriveRules(drawn('p a b x', 'z b', '> p', 'p > a', 'p > b', 'a > x', 'b > x'));
    expect(rules.map(({ text, holdsAcrossForks }) => [text, holdsAcrossForks])).toEqual([
      ['p >= a', true],
      ['p >= b', false],
    ]);
  });

  it('bound nothing that a Send can reach, but what follows it', async () => {
    const fan = drawn('split work collect', '* work', '> split', 'split > work', 'work > collect');
    expect(texts(await deriveRules(fan))).toEqual(['work >= collect']);
  });

  it('leave out what no run can start', async () => {
    const island = drawn('a x y j', '> a', 'x > y', 'y > x', 'a + x > j');
    expect(texts(await allRules(island))).toEqual([]);
  });

  it('are not disturbed by an edge that is listed twice', async () => {
    expect(texts(await deriveRules(drawn('a b', '> a', '> a', 'a > b', 'a > b')))).toEqual(['a >= b']);
  });

  it('name nodes of any spelling', async () => {
    const names = ['__proto__', 'x1 <= 5\nEnd', 'constructor', 'a + b'] as NodeName[];
    const [first, ...rest] = names;
    const shape: GraphShape = {
      nodes: names,
      edges: [
        { from: null, to: first as NodeName },
        ...rest.map((to, at) => ({ from: names[at] ?? null, to })),
      ],
      barriers: [],
      unbounded: [],
    };
    const rules = await deriveRules(shape);
    expect(texts(rules)).toEqual([
      '__proto__ >= "x1 <= 5\\nEnd"',
      '"x1 <= 5\\nEnd" >= constructor',
      'constructor >= "a + b"',
    ]);
    expect(checkRules(rules, new Map(names.map((name, at) => [name, at])))).toHaveLength(3);
  });

  it('of an empty graph are none, and of a shape that contradicts itself a bug', async () => {
    expect(await deriveRules(drawn(''))).toEqual([]);
    await expect(deriveRules(drawn('a', 'a > b'))).rejects.toThrow(InvariantBroken);
    await expect(deriveRules(drawn('a a', '> a'))).rejects.toThrow(InvariantBroken);
  });
});

const pairs = (graph: MachineGraph): (readonly [number, number])[] =>
  [...graph.names.keys()].flatMap((a) =>
    [...graph.names.keys()].filter((b) => b !== a).map((b) => [a, b] as const),
  );
const find = (
  rules: readonly DerivedRule[],
  graph: MachineGraph,
  a: number,
  b: number,
): DerivedRule | undefined =>
  rules.find(({ left, right }) => left[0] === graph.names[a] && right[0] === graph.names[b]);

describe('derived rules against every execution of small graphs', () => {
  it('without barriers and deferred nodes are exactly the rules that no routing and no cut can break', async () => {
    const graphs = randomGraph(fc, {
      nodes: 5,
      strayEdges: 2,
      barriers: 0,
      fixed: false,
      deferred: false,
      sends: false,
    });
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const space = threadSpace(graph, 500);
        if (space === null) return;
        const ever = new Set(space.due.flat());
        const rules = await allRules(shapeOf(graph));
        for (const [a, b] of pairs(graph)) {
          // The longest shortest excess: a way to a, and two ways on from there, through every node each.
          const excess = mostExcess(space, a, b, 3 * graph.names.length + 2);
          expect(find(rules, graph, a, b) !== undefined).toBe(ever.has(a) && ever.has(b) && excess === 0);
        }
      }),
      { numRuns: 120 },
    );
  });

  it('with barriers, deferred nodes and fixed edges hold in all of them', async () => {
    const graphs = randomGraph(fc, {
      nodes: 4,
      strayEdges: 1,
      barriers: 2,
      fixed: true,
      deferred: true,
      sends: false,
    });
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const space = threadSpace(graph, 400);
        fc.pre(space !== null);
        for (const rule of await allRules(shapeOf(graph))) {
          const [a, b] = [graph.names.indexOf(rule.left[0]), graph.names.indexOf(rule.right[0])];
          expect([rule.text, mostExcess(space, a, b, 16)]).toEqual([rule.text, 0]);
          if (rule.holdsAcrossForks) {
            expect([rule.text, mostExcessOfOneRun(space, a, b, 16)]).toEqual([rule.text, 0]);
          }
        }
      }),
      { numRuns: 120 },
    );
  });

  it('hold on random threads of larger graphs with Sends, those for forks also where runs fork', async () => {
    const graphs = randomGraph(fc, {
      nodes: 8,
      strayEdges: 4,
      barriers: 3,
      fixed: true,
      deferred: true,
      sends: true,
    });
    await fc.assert(
      fc.asyncProperty(graphs, fc.boolean(), fc.infiniteStream(fc.nat()), async (graph, forks, draws) => {
        const { counts, forked } = randomThread(graph, { forks, resumes: false }, draws);
        const rules = await allRules(shapeOf(graph));
        expect(checkRules(forked ? rules.filter((rule) => rule.holdsAcrossForks) : rules, counts)).toEqual(
          [],
        );
      }),
      { numRuns: 150 },
    );
  });

  it('break through a barrier that two branches of a fork inherit half filled', async () => {
    // One run fills a's half and ends; two runs from there bring b alone: x runs twice, a once.
    const graph: MachineGraph = {
      names: ['a', 'b', 'x'] as NodeName[],
      fixed: [],
      routed: [{ from: -1, to: [0, 1] }],
      barriers: [{ from: [0, 1], to: 2 }],
      deferred: [],
      sendable: [],
    };
    const rule = find(await allRules(shapeOf(graph)), graph, 0, 2);
    expect(rule).toMatchObject({ text: 'a >= x', holdsAcrossForks: false });
    const space = threadSpace(graph, 500);
    expect(space && mostExcess(space, 0, 2, 20)).toBe(0);
    expect(space && mostExcessOfOneRun(space, 0, 2, 20)).toBe(1);
  });

  it('are few when reduced, and the reduction implies all others, those across forks by such alone', async () => {
    const graphs = randomGraph(fc, {
      nodes: 6,
      strayEdges: 3,
      barriers: 2,
      fixed: false,
      deferred: true,
      sends: true,
    });
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const all = await allRules(shapeOf(graph));
        const reduced = await deriveRules(shapeOf(graph));
        expect(texts(all)).toEqual(expect.arrayContaining(texts(reduced)));
        const closure = (rules: readonly DerivedRule[]): Set<string> => {
          const known = new Map(
            rules.map(({ left, right }) => [`${left[0]} ${right[0]}`, [left[0], right[0]] as const]),
          );
          for (const [, [a, b]] of known) {
            for (const { left, right } of rules)
              if (left[0] === b) known.set(`${a} ${right[0]}`, [a, right[0]]);
          }
          return new Set(known.keys());
        };
        const keys = (rules: readonly DerivedRule[]): Set<string> =>
          new Set(rules.map(({ left, right }) => `${left[0]} ${right[0]}`));
        const forkProof = (rules: readonly DerivedRule[]): DerivedRule[] =>
          rules.filter(({ holdsAcrossForks }) => holdsAcrossForks);
        expect(closure(reduced)).toEqual(keys(all));
        expect(closure(forkProof(reduced))).toEqual(keys(forkProof(all)));
      }),
      { numRuns: 100 },
    );
  });
});
