/**
 * Which nodes can never have run more often than which others? Known from the graph's shape alone, for runs that begin
 * with new input, however they are cut off. A resumed run begins in the middle and breaks such a rule without any
 * fault; `derive-rules.rationale.md` says what else a rule rests on and which true rules are not found.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule, GraphShape } from '#analysis/model/invariant.ts';
import { outnumbers } from './count-limits.ts';
import { loadSolver, type Solve } from './linear-programme.ts';
import { essentialPairs, pairsOf, type CountOrder, type Pair } from './rule-reduction.ts';
import { printRule } from './rule-text.ts';
import { superstepBounds } from './same-superstep.ts';
import { flowAcrossForks, keepsTokens, tokenFlow, type FlowNode, type TokenFlow } from './token-flow.ts';

/** A rule between two nodes that a graph's shape implies. */
export interface DerivedRule extends CountRule {
  readonly left: readonly [NodeName];
  readonly right: readonly [NodeName];
  readonly constant: 0;
  /**
   * False when the rule rests on a barrier or a deferred node: what they hold when a run ends is inherited by every
   * branch of a fork, so a forked thread can break the rule although each of its runs began with new input.
   */
  readonly holdsAcrossForks: boolean;
}

/**
 * The rules that imply all others, in reading order: by the superstep in which a node can first run, then as the shape
 * lists the nodes. Nodes that no run can start, and on the right those that nothing bounds, have no rule.
 *
 * Cost: one linear programme per node, or two where the graph has barriers or deferred nodes. Measured for a line of 30
 * nodes on a busy two-core machine: 0.3 s of processor time at first, 0.15 s once the solver's code is warm.
 */
export async function deriveRules(shape: GraphShape): Promise<readonly DerivedRule[]> {
  const { flow, above, acrossForks } = await countOrders(shape);
  return rulesOf(flow, essentialPairs(above, acrossForks), acrossForks);
}

/** Every rule between two nodes, those that others imply included; for checking. Order and cost as above. */
export async function allRules(shape: GraphShape): Promise<readonly DerivedRule[]> {
  const { flow, above, acrossForks } = await countOrders(shape);
  return rulesOf(flow, pairsOf(above), acrossForks);
}

interface CountOrders {
  /** In reading order, so that positions sort as rules do. */
  readonly flow: TokenFlow;
  readonly above: CountOrder;
  readonly acrossForks: CountOrder;
}

async function countOrders(shape: GraphShape): Promise<CountOrders> {
  const flow = tokenFlow({ ...shape, nodes: readingOrder(tokenFlow(shape)) });
  const solve = await loadSolver();
  const above = countOrder(flow, solve);
  const acrossForks = flow.some(keepsTokens) ? countOrder(flowAcrossForks(flow), solve) : above;
  return { flow, above, acrossForks };
}

function countOrder(flow: TokenFlow, solve: Solve): CountOrder {
  const bounds = superstepBounds(flow);
  return flow.map((once, index) => {
    if (!once.reachable) return flow.map(() => false);
    const more = outnumbers(flow, bounds, index, solve);
    return flow.map(({ reachable }, other) => reachable && other !== index && more[other] === false);
  });
}

/** Breadth first from START, then from nodes that anything may start; those that no run reaches come last. */
function readingOrder(flow: TokenFlow): readonly NodeName[] {
  const positions = [...flow.keys()];
  const order = new Set<number>();
  const rooted = (isRoot: (node: FlowNode) => boolean): void => {
    for (const [index, node] of flow.entries()) if (isRoot(node)) order.add(index);
    // A Set iterates over members added during the iteration: this is the queue of a breadth-first search.
    for (const current of order) {
      for (const [index, { sources, barriers }] of flow.entries()) {
        if (sources.includes(current) || barriers.some((from) => from.includes(current))) order.add(index);
      }
    }
  };
  rooted(({ fromStart }) => fromStart);
  rooted(({ unbounded }) => unbounded);
  return [...order, ...positions.filter((index) => !order.has(index))].flatMap(
    (index) => flow[index]?.name ?? [],
  );
}

function rulesOf(flow: TokenFlow, pairs: readonly Pair[], acrossForks: CountOrder): readonly DerivedRule[] {
  return pairs.flatMap(([greater, lesser]) => {
    const [left, right] = [flow[greater]?.name, flow[lesser]?.name];
    if (left === undefined || right === undefined) return [];
    const rule = { left: [left], right: [right], constant: 0 } as const;
    return [{ ...rule, text: printRule(rule), holdsAcrossForks: acrossForks[greater]?.[lesser] === true }];
  });
}
