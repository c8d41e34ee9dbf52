/**
 * Which benchmarks are there? A file that exports a `Benchmark` is listed here by its name and loaded only when it
 * runs, so that one benchmark's imports never weigh on another's memory or start.
 */
import type { Benchmark } from './benchmark.ts';

/** A benchmark that is not loaded yet. */
export type BenchmarkEntry = Pick<Benchmark, 'name' | 'describe'> & {
  readonly load: () => Promise<Pick<Benchmark, 'run'>>;
};

/** All benchmarks in the order of `--help`. Names are unique. */
export const benchmarks: readonly BenchmarkEntry[] = [
  {
    name: 'analysis',
    describe: 'checkpoints a second of the pure analysis on one core, rows already parsed',
    load: async () => (await import('./analysis-speed.ts')).analysisSpeed,
  },
  {
    name: 'sql-census',
    describe:
      'a census inside the database (--engine sql) beside the bare fork query, one million checkpoints',
    load: async () => (await import('./sql-census.ts')).sqlCensus,
  },
];
