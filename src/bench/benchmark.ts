/**
 * What is a benchmark here? A named piece of work of a size that scales, which answers with measures. Easy to get
 * wrong: a bar belongs to the full size only. Below it, fixed costs weigh more and a bar would say nothing, so
 * `judged` keeps the value and leaves the bar out.
 */

/** One number that a benchmark found. */
export type Measure = PlainMeasure | JudgedMeasure;

interface Measured {
  /** What was measured: `ordinary threads, warm`. */
  readonly measure: string;
  readonly value: number;
  /** The unit of `value`: `checkpoints/s`, `ms`, `MB/s`; empty for a plain ratio. */
  readonly unit: string;
}

/** A number that is only told. */
export interface PlainMeasure extends Measured {
  readonly bar?: never;
  readonly holds?: never;
}

/** A number that has to reach something. */
export interface JudgedMeasure extends Measured {
  /** What is asked, in the measure's unit: `at least 1,000,000`. */
  readonly bar: string;
  readonly holds: boolean;
}

/** A benchmark as the registry lists it. */
export interface Benchmark {
  /** What is typed after `npm run bench --`. */
  readonly name: string;
  /** One line for `--help`. */
  readonly describe: string;
  /**
   * Does the work at `scale` of its full size (over 0, 1 = full) and answers with at least one measure. Leaves no
   * file and no process behind. *Fails* with an OperatorError when the machine lacks what the work needs.
   */
  readonly run: (scale: number) => Promise<readonly Measure[]>;
}

/** The value that a measure has to reach, from either side. */
export type Bar = { readonly atLeast: number } | { readonly atMost: number };

/** The measure with its bar at full size, and without one below it. */
export function judged(measured: Measured, bar: Bar, scale: number): Measure {
  if (scale < 1) return measured;
  const { value } = measured;
  return 'atLeast' in bar
    ? { ...measured, bar: `at least ${bar.atLeast.toLocaleString('en')}`, holds: value >= bar.atLeast }
    : { ...measured, bar: `at most ${bar.atMost.toLocaleString('en')}`, holds: value <= bar.atMost };
}

/** `count` at this scale, and never less than `least`. */
export function scaled(count: number, scale: number, least = 1): number {
  return Math.max(least, Math.round(count * scale));
}
