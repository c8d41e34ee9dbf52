/**
 * What kind of dump is wanted? Easy to get wrong: sizes are aims. Threads are whole, so a dump holds a few rows more
 * or less than asked for, and its summary says exactly how many.
 */

/**
 * `interleaved`: rows of all threads in the order in which a busy service would have inserted them. `grouped`: one
 * thread after the other. `shuffled`: every table in a random order, each order as likely as any other.
 */
export type RowOrder = 'interleaved' | 'grouped' | 'shuffled';

/**
 * Which blobs and writes are there: `all`, or those of each thread's `newest-run`, as a clean-up job leaves them.
 * Threads that are forked, interrupted or made of Sends keep all of theirs, without which nobody could judge them.
 */
export type Retention = 'all' | 'newest-run';

/** What a dump is made from; equal settings give equal bytes. */
export interface DumpSettings {
  readonly seed: number;
  /** About so many rows of `checkpoints`. */
  readonly checkpoints: number;
  /** Exactly so many threads have a planted fork, as far as there are threads. */
  readonly forks: number;
  /** Part of the threads that JS wrote, 0 to 1; Python wrote the others. */
  readonly jsShare: number;
  readonly order: RowOrder;
  readonly retention: Retention;
  /** Mean size of one state value in bytes, before its text is hexadecimal. */
  readonly valueBytes: number;
  /** So many threads are at work at the same time. */
  readonly liveThreads: number;
  /**
   * So many different threads without a fork are told; all others are copies of them with their own ids and times.
   * Copying is what makes a generator fast.
   */
  readonly variants: number;
  /** A blob row whose value takes so many bytes in the dump is added; 0: none. */
  readonly giantBlobBytes: number;
  /** As {@link giantBlobBytes}, a write row. */
  readonly giantWriteBytes: number;
}

const fullCheckpoints = 901_000;

/** The dump that the speed bars are about: 1.3 GB, 901 k checkpoints of about 1 KB, 400 k blobs, 1,000 forks. */
export const fullDump: DumpSettings = {
  seed: 1,
  checkpoints: fullCheckpoints,
  forks: 1000,
  jsShare: 0.5,
  order: 'interleaved',
  retention: 'newest-run',
  valueBytes: 300,
  liveThreads: 2000,
  variants: 256,
  giantBlobBytes: 0,
  giantWriteBytes: 0,
};

/** The same mix with another number of checkpoints, its forks in proportion. */
export function dumpOf(checkpoints: number, other: Partial<DumpSettings> = {}): DumpSettings {
  const forks = Math.max(1, Math.round((fullDump.forks * checkpoints) / fullCheckpoints));
  return { ...fullDump, checkpoints, forks, ...other };
}
