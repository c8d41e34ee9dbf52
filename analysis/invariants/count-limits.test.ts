import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariant } from '#analysis/model/bug.ts';
import { outnumbers } from './count-limits.ts';
import { loadSolver } from './linear-programme.ts';
import { randomGraph } from './random-graphs.ts';
import { superstepBounds, type SuperstepBound } from './same-superstep.ts';
import { shapeOf } from './superstep-machine.ts';
import { tokenFlow, type TokenFlow } from './token-flow.ts';

const flows = randomGraph(fc, {
  nodes: 7,
  strayEdges: 4,
  barriers: 3,
  fixed: false,
  deferred: true,
  sends: true,
}).map((graph) => tokenFlow(shapeOf(graph)));

/** The greatest counts up to 2 that the flow allows while `once` runs once, by lowering counts until none is too high. */
function greatestCounts(flow: TokenFlow, bounds: readonly SuperstepBound[], once: number): number[] {
  const counts = flow.map(({ reachable }, index): number => (reachable ? (index === once ? 1 : 2) : 0));
  const at = (index: number): number => counts[index] ?? 0;
  for (let lowered = true; lowered;) {
    lowered = false;
    for (const [index, { fromStart, unbounded, sources, barriers }] of flow.entries()) {
      const tokens = [...sources.map(at), ...barriers.map((from) => Math.min(...from.map(at)))];
      const inflow = fromStart || unbounded ? 2 : tokens.reduce((sum, count) => sum + count, 0);
      const together = bounds.filter(({ target }) => target === index).map(({ source }) => at(source));
      const limit = Math.min(at(index), inflow, ...together);
      if (limit < at(index)) {
        counts[index] = limit;
        lowered = true;
      }
    }
  }
  return counts;
}

/** One way to start a node, and the places it takes one token from each. */
interface Option {
  readonly places: readonly { readonly from: number; readonly key: string }[];
}

/**
 * Runs the flow as if every token started an execution of its own and barriers counted tokens: first every reachable
 * node once, then as often more as `counts` says. Gives the executions of each node; fails when it gets stuck.
 */
function runTokens(flow: TokenFlow, counts: readonly number[]): number[] {
  const options = flow.map(({ sources, barriers }, node): Option[] => [
    ...sources.map((from) => ({ places: [{ from, key: `${from} > ${node}` }] })),
    ...barriers.map((sourcesOf, barrier) => ({
      places: sourcesOf.map((from) => ({ from, key: `${from} + ${barrier} > ${node}` })),
    })),
  ]);
  const tokens = new Map<string, number>();
  const executions = flow.map(() => 0);
  const holds = (option: Option): boolean => option.places.every(({ key }) => (tokens.get(key) ?? 0) > 0);
  const execute = (node: number, option: Option): void => {
    for (const { key } of option.places) {
      invariant((tokens.get(key) ?? 0) > 0, 'a token is there before it is used');
      tokens.set(key, (tokens.get(key) ?? 0) - 1);
    }
    executions[node] = (executions[node] ?? 0) + 1;
    const places = options.flatMap((each) => each.flatMap((target) => target.places));
    for (const { from, key } of places) if (from === node) tokens.set(key, (tokens.get(key) ?? 0) + 1);
  };
  const free: Option = { places: [] };
  const isFree = (node: number): boolean => flow[node]?.fromStart === true || flow[node]?.unbounded === true;

  for (let grew = true; grew;) {
    grew = false;
    for (const node of flow.keys()) {
      const option = isFree(node) ? free : options[node]?.find(holds);
      if (option === undefined || executions[node] !== 0) continue;
      execute(node, option);
      grew = true;
    }
  }

  // Which option starts how many of the further executions: the flow allows as many as the least of its sources has.
  const plans = flow.map((_, node) => {
    let left = counts[node] ?? 0;
    return (isFree(node) ? [free] : (options[node] ?? [])).map((option) => {
      const allowed = Math.min(left, ...option.places.map(({ from }) => counts[from] ?? 0));
      left -= allowed;
      return { option, left: allowed };
    });
  });
  for (let moved = true; moved;) {
    moved = false;
    for (const [node, plan] of plans.entries()) {
      const next = plan.find(({ option, left }) => left > 0 && holds(option));
      if (next === undefined) continue;
      next.left -= 1;
      execute(node, next.option);
      moved = true;
    }
  }
  invariant(
    plans.flat().every(({ left }) => left === 0),
    'every planned execution found its tokens',
  );
  return executions;
}

describe('the limits of counts while one node runs once', () => {
  it('are those of the greatest counts that the flow allows', async () => {
    const solve = await loadSolver();
    fc.assert(
      fc.property(flows, fc.nat(), fc.boolean(), (flow, pick, merging) => {
        const once = pick % flow.length;
        const bounds = merging ? superstepBounds(flow).filter(({ merges }) => merges) : [];
        const greatest = greatestCounts(flow, bounds, once);
        expect(outnumbers(flow, bounds, once, solve)).toEqual(greatest.map((count) => count > 1));
      }),
      { numRuns: 100 },
    );
  });

  it('are all reached when no two tokens merge: token flow loses no rule but to merging', async () => {
    const solve = await loadSolver();
    fc.assert(
      fc.property(flows, fc.nat(), (flow, pick) => {
        const once = pick % flow.length;
        fc.pre(flow[once]?.reachable === true);
        const more = outnumbers(flow, [], once, solve);
        const executions = runTokens(flow, greatestCounts(flow, [], once));
        for (const node of flow.keys()) {
          const exceeds = (executions[node] ?? 0) > (executions[once] ?? 0);
          if (more[node] === true) expect(exceeds).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
