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
  {
    name: 'dump-speed',
    describe: 'the whole audit of a 1.3 GB dump, against wc -l and against DuckDB doing a part of it',
    load: async () => (await import('./dump-speed.ts')).dumpSpeed,
  },
  {
    name: 'dump-blobs',
    describe: 'how fast blob and write values pass that the analysis does not need',
    load: async () => (await import('./dump-blobs.ts')).dumpBlobs,
  },
  {
    name: 'dump-memory',
    describe: 'peak memory for 10 M checkpoints in any order, and for one row of 900 MB (30 GB of disk)',
    load: async () => (await import('./dump-memory.ts')).dumpMemory,
  },
  {
    name: 'dump-linear',
    describe: 'time a million checkpoints at 1 M, 3 M and 10 M, in memory and spilled (16 GB of disk)',
    load: async () => (await import('./dump-linear.ts')).dumpLinear,
  },
  {
    name: 'fuzz',
    describe:
      'whether any of 100,000 damaged dumps crashes, hangs or bloats an audit; FORKSCOPE_FUZZ_SEED repeats',
    load: async () => (await import('./fuzz.ts')).fuzz,
  },
];
