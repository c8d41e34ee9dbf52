/**
 * Linear and integer programmes, solved by HiGHS. Variables are numbered and every one is at least 0; no name from
 * outside ever reaches the text that the solver parses.
 */
import type { Highs } from 'highs';
import { invariant } from '#analysis/model/bug.ts';

/** `sum of factor * variable <= atMost`. Each variable at most once. */
export interface Inequality {
  readonly terms: readonly { readonly variable: number; readonly factor: number }[];
  readonly atMost: number;
}

/** One programme over variables 0, 1, 2 …, all at least 0. */
export interface LinearProgramme {
  readonly sense: 'maximise' | 'minimise';
  /** Objective factor per variable; its length is the number of variables. */
  readonly objective: readonly number[];
  /** Greatest value per variable; null: none. */
  readonly atMost: readonly (number | null)[];
  readonly inequalities: readonly Inequality[];
  /** Whether every variable must be a whole number. */
  readonly integral: boolean;
}

/** Gives the optimal value of each variable; null when no values satisfy the programme. */
export type Solve = (programme: LinearProgramme) => readonly number[] | null;

let loading: Promise<Highs> | null = null;

/**
 * The solver; its WebAssembly is loaded on the first call (about 0.1 s) and kept. Solving is synchronous: about 1 ms for
 * 30 variables once the code is warm, ten times that before. Fails: a bug when a programme is unbounded or the solver
 * gives up, which no programme here gives cause for.
 */
export async function loadSolver(): Promise<Solve> {
  loading ??= import('highs').then(({ default: loadHighs }) => loadHighs());
  const highs = await loading;
  return (programme) => {
    if (programme.objective.length === 0) return [];
    const solution = highs.solve(programmeText(programme), { output_flag: false, mip_rel_gap: 0 });
    if (solution.Status === 'Infeasible') return null;
    invariant(solution.Status === 'Optimal', `a programme that has a solution ended as ${solution.Status}`);
    return programme.objective.map((_, variable) => {
      const value = solution.Columns[`x${variable}`]?.Primal;
      invariant(value !== undefined, 'the solver answers for every variable');
      return value;
    });
  };
}

/** The programme in CPLEX LP format, one term a line: the format limits the length of a line, not their number. */
function programmeText({ sense, objective, atMost, inequalities, integral }: LinearProgramme): string {
  const term = (factor: number, variable: number): string =>
    `${factor < 0 ? '-' : '+'} ${Math.abs(factor)} x${variable}`;
  return [
    sense === 'maximise' ? 'Maximize' : 'Minimize',
    'obj:',
    ...objective.map(term),
    'Subject To',
    ...inequalities.flatMap((inequality, index) => [
      `c${index}:`,
      ...inequality.terms.map(({ factor, variable }) => term(factor, variable)),
      `<= ${inequality.atMost}`,
    ]),
    'Bounds',
    ...atMost.flatMap((bound, variable) => (bound === null ? [] : [`x${variable} <= ${bound}`])),
    ...(integral ? ['General', ...objective.map((_, variable) => `x${variable}`)] : []),
    'End',
    '',
  ].join('\n');
}
