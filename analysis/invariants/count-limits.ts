/**
 * How often can every node run, at most, while one of them runs once? All limits for one node come from a single
 * linear programme, because the counts that a flow of tokens allows have a greatest element.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { Inequality, LinearProgramme, Solve } from './linear-programme.ts';
import type { SuperstepBound } from './same-superstep.ts';
import type { TokenFlow } from './token-flow.ts';

/** Counts above this need not be told apart: twice is more often than once. */
const cap = 2;

/**
 * For each node, whether it can run more often than `once` does, by the flow of tokens: a node's count is at most the
 * sum of its sources' counts and of its barriers' tokens, a barrier's tokens at most the least of its sources' counts.
 *
 * Why one programme: these inequalities are homogeneous, so B - A has a positive maximum iff B exceeds 1 somewhere with
 * A at most 1. If two vectors of counts satisfy them, so does the greater of both, component by component, so one
 * vector is the greatest in every component and maximises the sum. Capping counts at 2 keeps every vector allowed,
 * and the greatest one is whole-numbered, so the relaxation is exact.
 *
 * Cost: one programme of as many variables as there are nodes and barriers.
 */
export function outnumbers(
  flow: TokenFlow,
  bounds: readonly SuperstepBound[],
  once: number,
  solve: Solve,
): readonly boolean[] {
  const values = solve(limitsProgramme(flow, bounds, once));
  invariant(values !== null, 'no execution at all is always allowed');
  return flow.map((_, index) => (values[index] ?? 0) > 1.5);
}

function limitsProgramme(flow: TokenFlow, bounds: readonly SuperstepBound[], once: number): LinearProgramme {
  const atMost = flow.map(({ reachable }, index) => (reachable ? (index === once ? 1 : cap) : 0));
  const inequalities: Inequality[] = bounds
    .filter(({ merges }) => merges)
    .map(({ source, target }) => lessOrEqual(target, [source]));
  for (const [index, node] of flow.entries()) {
    // A self-loop bounds a count by itself.
    if (node.fromStart || node.unbounded || node.sources.includes(index)) continue;
    const inflow = [...node.sources];
    for (const from of node.barriers) {
      const tokens = atMost.push(cap) - 1;
      inflow.push(tokens);
      inequalities.push(...from.map((source) => lessOrEqual(tokens, [source])));
    }
    inequalities.push(lessOrEqual(index, inflow));
  }
  return { sense: 'maximise', objective: atMost.map(() => 1), atMost, inequalities, integral: false };
}

function lessOrEqual(variable: number, others: readonly number[]): Inequality {
  return {
    terms: [{ variable, factor: 1 }, ...others.map((other) => ({ variable: other, factor: -1 }))],
    atMost: 0,
  };
}
