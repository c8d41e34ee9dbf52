/**
 * Reads damaged inputs one after the other in a thread of its own, which its starter can end. Easy to get wrong: a
 * thread that hangs answers no message, so what it is at stands in shared memory.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '#analysis/model/bug.ts';
import { Fuzzer } from '../dump/testing/fuzz-input.ts';

/** What the thread is to do. */
export interface FuzzTask {
  readonly firstSeed: number;
  readonly from: number;
  /** The number of the input to stop before. */
  readonly to: number;
  /** A file to write inputs to. */
  readonly path: string;
  /** Where the number of the input under way is kept. */
  readonly at: Int32Array;
}

/** What it says: an input that failed, or how a stretch of them went. */
export type FuzzNews =
  | { readonly kind: 'failed'; readonly seed: number; readonly what: string }
  | {
      readonly kind: 'passed';
      readonly threads: number;
      readonly refused: number;
      readonly slowest: { readonly seed: number; readonly ms: number };
    };

/** Inputs between two messages. */
const stretch = 100;

const port = parentPort;
invariant(port !== null, 'this file runs as a thread');
const { firstSeed, from, to, path, at } = workerData as FuzzTask;
const say = (news: FuzzNews): void => {
  port.postMessage(news);
};
const fuzzer = await Fuzzer.open(path);
for (let start = from; start < to; start += stretch) {
  const ends = { threads: 0, refused: 0 };
  let slowest = { seed: 0, ms: 0 };
  for (let number = start; number < Math.min(start + stretch, to); number += 1) {
    const seed = firstSeed + number;
    Atomics.store(at, 0, number);
    const began = performance.now();
    try {
      ends[await fuzzer.run(seed)] += 1;
    } catch (error) {
      say({
        kind: 'failed',
        seed,
        what: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    const ms = performance.now() - began;
    if (ms > slowest.ms) slowest = { seed, ms };
  }
  say({ kind: 'passed', ...ends, slowest });
}
