import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { checkRules } from './check-rule.ts';
import { allRules } from './derive-rules.ts';
import { drawnShape as drawn } from './drawn-shape.ts';
import { threadSpace } from './every-thread.ts';
import { startsExplainer, type MidGraphStarts } from './mid-graph-starts.ts';
import { pendingTogether } from './pending-together.ts';
import { randomGraph } from './random-graphs.ts';
import { randomThread } from './random-threads.ts';
import { superstepBounds } from './same-superstep.ts';
import { shapeOf } from './superstep-machine.ts';
import { nodesReached, tokenFlow, type TokenFlow } from './token-flow.ts';

const counts = (entries: Record<string, number>): NodeCounts =>
  new Map(Object.entries(entries) as [NodeName, number][]);
const unforked = { forked: false };

describe('the runs that began in the middle', () => {
  const line = startsExplainer(
    drawn('plan charge notify finish', '> plan', 'plan > charge', 'charge > notify', 'notify > finish'),
  );

  it.each([
    ['3 plan, 3 charge, 2 notify, 2 finish', [3, 3, 2, 2], 0, []],
    ['2 plan, 3 charge, 2 notify, 2 finish', [2, 3, 2, 2], 1, ['charge']],
    ['1 plan, 1 charge, 3 notify, 2 finish', [1, 1, 3, 2], 2, ['notify']],
    ['1 plan, 2 charge, 3 notify, no finish', [1, 2, 3, 0], 2, ['charge', 'notify']],
    ['nothing but 1 finish', [0, 0, 0, 1], 1, ['finish']],
    ['nothing', [0, 0, 0, 0], 0, []],
  ] as const)('%s on a line', async (_, [plan, charge, notify, finish], runs, couldBeginAt) => {
    expect(await line(counts({ plan, charge, notify, finish }), unforked)).toEqual({ runs, couldBeginAt });
  });

  it('ignore nodes that the graph does not have, and take absent nodes for idle', async () => {
    expect(await line(counts({ plan: 1, audit: 7 }), unforked)).toEqual({ runs: 0, couldBeginAt: [] });
  });

  it('can be one run where several nodes are due at once, and cannot where they never are', async () => {
    const fan = startsExplainer(drawn('p a b c', '> p', 'p > a', 'p > b', 'b > c'));
    expect(await fan(counts({ p: 1, a: 2, b: 2, c: 1 }), unforked)).toEqual({
      runs: 1,
      couldBeginAt: ['a', 'b'],
    });
    expect(await fan(counts({ p: 1, a: 2, b: 1, c: 2 }), unforked)).toEqual({
      runs: 2,
      couldBeginAt: ['a', 'c'],
    });
  });

  it('can have begun at any node before the one that ran too often, where ways come back together', async () => {
    const equal = startsExplainer(drawn('p a b x', '> p', 'p > a', 'p > b', 'a > x', 'b > x'));
    expect(await equal(counts({ p: 1, a: 1, b: 1, x: 2 }), unforked)).toEqual({
      runs: 1,
      couldBeginAt: ['a', 'b', 'x'],
    });
  });

  it('are seen where a loop ran that nothing entered', async () => {
    const agent = startsExplainer(
      drawn('plan agent tools', '> plan', 'plan > agent', 'agent > tools', 'tools > agent'),
    );
    expect(await agent(counts({ plan: 1, agent: 6, tools: 5 }), unforked)).toEqual({
      runs: 0,
      couldBeginAt: [],
    });
    expect(await agent(counts({ plan: 0, agent: 5, tools: 5 }), unforked)).toEqual({
      runs: 1,
      couldBeginAt: ['agent', 'tools'],
    });
    expect(await agent(counts({ plan: 0, agent: 4, tools: 5 }), unforked)).toEqual({
      runs: 1,
      couldBeginAt: ['tools'],
    });
  });

  it('are needed in each of two loops that ran apart, and are one run where both can be due', async () => {
    const loops = startsExplainer(
      drawn('a b c d', '> a', 'a > b', 'b > c', 'c > c', 'b > b', 'c > d', 'd > d'),
    );
    expect(await loops(counts({ a: 0, b: 2, c: 0, d: 2 }), unforked)).toEqual({
      runs: 1,
      couldBeginAt: ['b', 'd'],
    });
  });

  it('are not concluded from a barrier on a thread that forks, nor from a node that Sends reach', async () => {
    const joined = startsExplainer(drawn('a b x', '> a', '> b', 'a + b > x'));
    expect(await joined(counts({ a: 1, b: 2, x: 2 }), unforked)).toEqual({ runs: 1, couldBeginAt: ['x'] });
    expect(await joined(counts({ a: 1, b: 2, x: 2 }), { forked: true })).toEqual({
      runs: 0,
      couldBeginAt: [],
    });
    const sent = startsExplainer(drawn('split work', '* work', '> split', 'split > work'));
    expect(await sent(counts({ split: 1, work: 9 }), unforked)).toEqual({ runs: 0, couldBeginAt: [] });
  });
});

const features = { strayEdges: 2, fixed: true, deferred: true, sends: true, barriers: 2 };
const smallCounts = (flow: TokenFlow): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(3), { minLength: flow.length, maxLength: flow.length });

describe('the least number of runs that began in the middle', () => {
  it('never exceeds the resumptions that there were, whatever was cut, sent or forked', async () => {
    const graphs = randomGraph(fc, { ...features, nodes: 7 });
    await fc.assert(
      fc.asyncProperty(graphs, fc.boolean(), fc.infiniteStream(fc.nat()), async (graph, forks, draws) => {
        const thread = randomThread(graph, { forks, resumes: true }, draws);
        const { runs, couldBeginAt } = await startsExplainer(shapeOf(graph))(thread.counts, thread);
        expect(runs).toBeLessThanOrEqual(thread.resumed);
        expect(couldBeginAt.length > 0).toBe(runs > 0);
      }),
      { numRuns: 300 },
    );
  });

  it('is at least one when a derived rule is broken', async () => {
    const cases = randomGraph(fc, { ...features, nodes: 6 }).chain((graph) => {
      const shape = shapeOf(graph);
      return fc.record({ shape: fc.constant(shape), drawnCounts: smallCounts(tokenFlow(shape)) });
    });
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ({ shape, drawnCounts }, forked) => {
        const observed = new Map(shape.nodes.map((node, index) => [node, drawnCounts[index] ?? 0]));
        const rules = (await allRules(shape)).filter((rule) => !forked || rule.holdsAcrossForks);
        const { runs } = await startsExplainer(shape)(observed, { forked });
        if (checkRules(rules, observed).length > 0) expect(runs).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });

  it('and the nodes are those that an exhaustive search finds', async () => {
    const plain = { ...features, nodes: 4, barriers: 0, deferred: false, sends: false, fixed: false };
    const cases = randomGraph(fc, plain).chain((graph) => {
      const flow = tokenFlow(shapeOf(graph));
      return fc.record({ graph: fc.constant(graph), flow: fc.constant(flow), observed: smallCounts(flow) });
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ graph, flow, observed }) => {
        fc.pre(flow.every(({ reachable }) => reachable));
        const space = threadSpace(graph, 500);
        fc.pre(space !== null);
        const dueSets = [...new Map(space.due.map((nodes) => [nodes.join(), nodes])).values()];
        const exhaustive = searchStarts(flow, dueSets, observed);
        const shape = shapeOf(graph);
        const byName = new Map(shape.nodes.map((node, index) => [node, observed[index] ?? 0]));
        expect(await startsExplainer(shape)(byName, unforked)).toEqual(exhaustive);
      }),
      { numRuns: 200 },
    );
  });
});

/**
 * Tries 0, 1, 2 … runs, each begun at any part of any set of nodes that were seen due together, until the counts are
 * explained; among explanations with the fewest runs, those with the fewest starts say where runs could begin.
 */
function searchStarts(
  flow: TokenFlow,
  dueSets: readonly (readonly number[])[],
  observed: readonly number[],
): MidGraphStarts {
  const parts = (set: readonly number[]): number[][] =>
    set.reduce<number[][]>(
      (subsets, node) => [...subsets, ...subsets.map((subset) => [...subset, node])],
      [[]],
    );
  const starts = [...new Map(dueSets.flatMap(parts).map((part) => [part.join(), part])).values()];
  let reached = new Map([['', flow.map(() => 0)]]);
  for (let runs = 0; ; runs += 1) {
    const explanations = [...reached.values()].filter((begun) => explains(flow, observed, begun));
    if (explanations.length > 0) {
      const size = (begun: readonly number[]): number => begun.reduce((sum, count) => sum + count, 0);
      const fewest = Math.min(...explanations.map(size));
      const shortest = explanations.filter((begun) => size(begun) === fewest);
      const nodes = [...flow.entries()].filter(([index]) =>
        shortest.some((begun) => (begun[index] ?? 0) > 0),
      );
      return { runs, couldBeginAt: nodes.map(([, { name }]) => name) };
    }
    const next = [...reached.values()].flatMap((begun) =>
      starts.map((nodes) => begun.map((count, index) => count + (nodes.includes(index) ? 1 : 0))),
    );
    reached = new Map(
      next
        .filter((begun) => begun.every((count, index) => count <= (observed[index] ?? 0)))
        .map((begun) => [begun.join(), begun]),
    );
  }
}

function explains(flow: TokenFlow, observed: readonly number[], begun: readonly number[]): boolean {
  const ran = (index: number): number => observed[index] ?? 0;
  const began = (index: number): number => begun[index] ?? 0;
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const reached = nodesReached(
    flow,
    (index) => flow[index]?.fromStart === true || began(index) > 0,
    (index) => ran(index) > 0,
  );
  return (
    flow.every(
      ({ fromStart, sources }, index) => fromStart || ran(index) <= total(sources.map(ran)) + began(index),
    ) &&
    superstepBounds(flow).every(
      ({ source, target, between }) => ran(target) <= ran(source) + total(between.map(began)),
    ) &&
    [...flow.keys()].every((index) => ran(index) === 0 || reached.has(index))
  );
}

describe('the nodes that can be due together', () => {
  it('on a line are single nodes', () => {
    expect(pendingTogether(tokenFlow(drawn('a b c', '> a', 'a > b', 'b > c')))).toEqual([[0], [1], [2]]);
  });

  it('without barriers are exactly those of all executions, and with them no fewer', () => {
    fc.assert(
      fc.property(randomGraph(fc, { ...features, nodes: 5, sends: false, fixed: false }), (graph) => {
        const space = threadSpace(graph, 500);
        fc.pre(space !== null);
        const flow = tokenFlow(shapeOf(graph));
        const together = pendingTogether(flow);
        const inside = (set: readonly number[], outer: readonly number[]): boolean =>
          set.every((node) => outer.includes(node));
        for (const nodes of space.due)
          expect(together.some((set) => inside(nodes, set)) || nodes.length === 0).toBe(true);
        const exact =
          graph.barriers.length + graph.deferred.length === 0 && flow.every(({ reachable }) => reachable);
        if (exact)
          for (const set of together) expect(space.due.some((nodes) => inside(set, nodes))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
