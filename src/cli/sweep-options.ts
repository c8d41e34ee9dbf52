/**
 * `--sweep gap=…`: which gaps between racing requests a race is run with. Milliseconds are real, not scaled. A gap may
 * also be told in lengths of a run (`x`): how long a run takes is then measured first, on the same workers' settings with
 * the first racer alone, because delays are written inside the graph's nodes and rows cost time as well.
 */
import { BadArguments } from './fail.ts';

/** The gaps that are asked for, ascending. `run`: multiples of a run's length. */
export interface GapRange {
  readonly unit: 'ms' | 'run';
  readonly gaps: readonly number[];
}

const form =
  'gap=FROM..TO/STEP in milliseconds (gap=0..2000/50), or gap=FROM..TOx/POINTS in lengths of a run (gap=0..1.5x/10)';
const number = String.raw`(\d+(?:\.\d+)?)`;
const inMs = new RegExp(`^gap=${number}\\.\\.${number}/${number}$`);
const inRuns = new RegExp(`^gap=${number}\\.\\.${number}x(?:/(\\d+))?$`);

const defaultPoints = 10;
/** Every gap has all the trials of an arm. */
const mostGaps = 200;
/** A stage waits for its last racer; a minute is far beyond any run that is worth a sweep. */
const longestGapMs = 60_000;
const longestGapRuns = 100;

/** The gaps of `--sweep`. *Fails* with BadArguments. */
export function gapRange(text: string): GapRange {
  const ms = inMs.exec(text);
  if (ms !== null) return inMilliseconds(Number(ms[1]), Number(ms[2]), Number(ms[3]));
  const runs = inRuns.exec(text);
  if (runs !== null)
    return inRunLengths(
      Number(runs[1]),
      Number(runs[2]),
      runs[3] === undefined ? defaultPoints : Number(runs[3]),
    );
  throw new BadArguments(`--sweep ${text}: expected ${form}.`);
}

/** Options that contradict a sweep. *Fails* with BadArguments. */
export function requireSweepable({
  trials,
  plan,
  target,
}: {
  readonly trials: number | 'auto' | undefined;
  readonly plan: boolean;
  readonly target: readonly string[] | undefined;
}): void {
  if (plan) throw new BadArguments('--sweep runs trials and --plan runs none: leave one of them out.');
  if (target !== undefined)
    throw new BadArguments(
      '--sweep sets racers apart at own workers, not yet at a --target: leave one of them out.',
    );
  if (trials === 'auto')
    throw new BadArguments('--sweep needs a number of trials for each gap: give -n a number, not auto.');
}

/** Gaps of real milliseconds for runs of that length, none of them twice. */
export function gapsFor(multiples: readonly number[], runMs: number): readonly number[] {
  return [...new Set(multiples.map((multiple) => Math.round(multiple * runMs)))];
}

function inMilliseconds(from: number, to: number, step: number): GapRange {
  requireRange(from, to, longestGapMs, 'ms');
  if (step <= 0) throw new BadArguments('--sweep: the step must be above 0.');
  const last = Math.floor((to - from) / step + 1e-9);
  requireCount(last + 1);
  return { unit: 'ms', gaps: Array.from({ length: last + 1 }, (_, index) => rounded(from + index * step)) };
}

function inRunLengths(from: number, to: number, points: number): GapRange {
  requireRange(from, to, longestGapRuns, 'lengths of a run');
  requireCount(points);
  return {
    unit: 'run',
    gaps: Array.from({ length: points }, (_, index) => from + (index * (to - from)) / (points - 1)),
  };
}

function requireRange(from: number, to: number, most: number, unit: string): void {
  if (to <= from) throw new BadArguments(`--sweep: ${from}..${to} does not ascend.`);
  if (to > most) throw new BadArguments(`--sweep: gaps go up to ${most} ${unit}, not ${to}.`);
}

function requireCount(gaps: number): void {
  if (gaps < 2)
    throw new BadArguments('--sweep: a sweep has at least two gaps; take a smaller step or more points.');
  if (gaps > mostGaps)
    throw new BadArguments(`--sweep: ${gaps} gaps are more than ${mostGaps}; take a larger step.`);
}

/** Without the dust of binary fractions, as in 0.1 + 0.2. */
function rounded(ms: number): number {
  return Number(ms.toFixed(3));
}
