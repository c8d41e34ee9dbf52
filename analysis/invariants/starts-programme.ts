/**
 * The fewest runs, and then the fewest starts, that meet given needs: an integer programme. One run can begin at
 * several nodes at once, so runs and starts are counted apart.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { Inequality, LinearProgramme, Solve } from './linear-programme.ts';

/** At least `starts` starts at the nodes of `among`. */
export interface Demand {
  readonly among: readonly number[];
  readonly starts: number;
}

/** What the starts must achieve, and how they can. */
export interface StartNeeds {
  /** Sets of nodes at which one run can begin, at all of them or at some; together they hold every node. */
  readonly together: readonly (readonly number[])[];
  /** Per node, how many starts it can have: its count. */
  readonly atMost: readonly number[];
  /** Each for at least one start; none at all when only origins are missing. */
  readonly demands: readonly Demand[];
  /**
   * The nodes that ran and would still lack an origin if runs had begun at `started`. One of them needs a start, for
   * the first of them to run was started by none of the others.
   */
  readonly withoutOrigin: (started: ReadonlySet<number>) => readonly number[];
}

/** The least that meets all needs. */
export interface FewestStarts {
  readonly runs: number;
  /** Starts in all those runs together; at least `runs`. */
  readonly starts: number;
  /** Nodes that have a start in some solution with these numbers of runs and starts, ascending. */
  readonly nodes: readonly number[];
}

/**
 * The fewest runs that meet the needs, and the fewest starts in as many runs.
 *
 * Missing origins become demands only when a solution shows them: there are as many conceivable ones as sets of nodes.
 *
 * Cost: two integer programmes of as many variables as there are sets and nodes in need, one more per node in need, and
 * one more for each missing origin.
 */
export function fewestStarts(needs: StartNeeds, solve: Solve): FewestStarts {
  const { together, withoutOrigin } = needs;
  const demands = [...needs.demands];
  const inNeed = new Set([...demands.flatMap(({ among }) => among), ...withoutOrigin(new Set())]);
  const nodes = [...inNeed].sort((a, b) => a - b);
  const least = (minimise: 'runs' | 'starts', limits: readonly Limit[]): number | null => {
    for (;;) {
      const values = solve(startsProgramme({ ...needs, demands }, nodes, minimise, limits));
      if (values === null) return null;
      const runs = values.slice(0, together.length);
      const starts = values.slice(together.length);
      const lacking = withoutOrigin(new Set(nodes.filter((_, index) => (starts[index] ?? 0) > 0.5)));
      if (lacking.length === 0) return Math.round(sum(minimise === 'runs' ? runs : starts));
      demands.push({ among: lacking, starts: 1 });
    }
  };
  const runs = least('runs', []);
  invariant(runs !== null, 'enough runs that begin wherever they can meet any need');
  const starts = least('starts', [{ kind: 'runs-at-most', runs }]);
  invariant(starts !== null, 'the fewest runs have some number of starts');
  const canBegin = (node: number): boolean =>
    least('starts', [
      { kind: 'runs-at-most', runs },
      { kind: 'begins-at', node },
    ]) === starts;
  return { runs, starts, nodes: nodes.filter(canBegin) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Limit =
  | { readonly kind: 'runs-at-most'; readonly runs: number }
  | { readonly kind: 'begins-at'; readonly node: number };

/** Variables: the runs that begin within each set, then the starts at each of `nodes`. */
function startsProgramme(
  { together, atMost, demands }: StartNeeds,
  nodes: readonly number[],
  minimise: 'runs' | 'starts',
  limits: readonly Limit[],
): LinearProgramme {
  const startVariable = new Map(nodes.map((node, index) => [node, together.length + index]));
  const startsAmong = (among: readonly number[], factor: number): Inequality['terms'] =>
    among.flatMap((node) => {
      const variable = startVariable.get(node);
      return variable === undefined ? [] : [{ variable, factor }];
    });
  const runsWithin = (holds: (set: readonly number[]) => boolean, factor: number): Inequality['terms'] =>
    together.flatMap((set, variable) => (holds(set) ? [{ variable, factor }] : []));
  return {
    sense: 'minimise',
    objective: [
      ...together.map(() => (minimise === 'runs' ? 1 : 0)),
      ...nodes.map(() => (minimise === 'starts' ? 1 : 0)),
    ],
    atMost: [...together.map(() => null), ...nodes.map((node) => atMost[node] ?? 0)],
    inequalities: [
      ...demands.map(({ among, starts }) => ({ terms: startsAmong(among, -1), atMost: -starts })),
      // One run starts a node once.
      ...nodes.map((node) => ({
        terms: [...startsAmong([node], 1), ...runsWithin((set) => set.includes(node), -1)],
        atMost: 0,
      })),
      ...limits.map((limit) =>
        limit.kind === 'runs-at-most'
          ? { terms: runsWithin(() => true, 1), atMost: limit.runs }
          : { terms: startsAmong([limit.node], -1), atMost: -1 },
      ),
    ],
    integral: true,
  };
}
