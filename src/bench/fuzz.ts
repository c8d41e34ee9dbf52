/**
 * Does any damaged input crash, hang or bloat the reader or the analysis? A hundred thousand are tried. Easy to get
 * wrong: whoever hangs or runs out of memory cannot say so, so inputs are read in a thread that is watched and, when it
 * has to be ended, started again behind the input that ended it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtFile } from '../package-root.ts';
import { judged, scaled, type Benchmark, type Measure } from './benchmark.ts';
import type { FuzzNews, FuzzTask } from './fuzz-worker.ts';

const inputs = 100_000;

/** One input of at most two hundred kilobytes, read twice. The slowest takes a hundredth of it. */
const limitMs = 30_000;

/** The thread's heap. What is in buffers is watched as the process's own peak. */
const heapMegabytes = 400;

/** Peak resident memory of the whole process, which holds the texts and two runtimes besides. */
const peakMegabytes = 1_000;

interface Found {
  threads: number;
  refused: number;
  slowest: { readonly seed: number; readonly ms: number };
  readonly failures: { readonly seed: number; readonly what: string }[];
}

/** Count, failures by seed, the slowest input and the peak. `FORKSCOPE_FUZZ_SEED` repeats a run, or one input of it. */
export const fuzz: Pick<Benchmark, 'run'> = {
  run: async (scale) => {
    const count = scaled(inputs, scale);
    const firstSeed = Number(process.env['FORKSCOPE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
    const found: Found = { threads: 0, refused: 0, slowest: { seed: 0, ms: 0 }, failures: [] };
    const folder = mkdtempSync(join(tmpdir(), 'forkscope-fuzz-'));
    const at = new Int32Array(new SharedArrayBuffer(4));
    try {
      for (let from = 0; from < count;) {
        Atomics.store(at, 0, from);
        const task = { firstSeed, from, to: count, path: join(folder, 'damaged.sql'), at };
        const fault = await watched(task, found);
        if (fault === null) break;
        found.failures.push({ seed: firstSeed + Atomics.load(at, 0), what: fault });
        from = Atomics.load(at, 0) + 1;
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return measures(found, firstSeed, count, scale);
  },
};

/** Reads inputs in a thread until all are read, or one of them ends the thread; says how, or null. */
async function watched(task: FuzzTask, found: Found): Promise<string | null> {
  const worker = new Worker(builtFile('src/bench/fuzz-worker'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  let fault: string | null = null;
  let seen = -1;
  const watch = setInterval(() => {
    const now = Atomics.load(task.at, 0);
    if (now === seen) {
      fault = `no end within ${limitMs / 1000} s`;
      void worker.terminate();
    }
    seen = now;
  }, limitMs);
  worker.on('message', (news: FuzzNews) => {
    if (news.kind === 'failed') found.failures.push({ seed: news.seed, what: news.what });
    else {
      found.threads += news.threads;
      found.refused += news.refused;
      if (news.slowest.ms > found.slowest.ms) found.slowest = news.slowest;
    }
  });
  return new Promise((resolve) => {
    worker.once('error', (error) => (fault = error.stack ?? error.message));
    worker.once('exit', () => {
      clearInterval(watch);
      resolve(fault);
    });
  });
}

function measures(found: Found, firstSeed: number, count: number, scale: number): readonly Measure[] {
  const { threads, refused, slowest, failures } = found;
  const peak = process.resourceUsage().maxRSS / 1024;
  return [
    { measure: `damaged inputs, seeds from ${firstSeed} on`, value: count, unit: 'inputs' },
    { measure: 'read as threads', value: threads, unit: 'inputs' },
    { measure: 'refused with an operator error', value: refused, unit: 'inputs' },
    judged({ measure: 'failures', value: failures.length, unit: 'inputs' }, { atMost: 0 }, scale),
    { measure: `slowest input, seed ${slowest.seed}`, value: slowest.ms, unit: 'ms' },
    judged({ measure: 'peak resident memory', value: peak, unit: 'MB' }, { atMost: peakMegabytes }, scale),
    ...failures.slice(0, mostTold).map(({ seed, what }) => ({
      measure: `seed ${seed}: ${what.slice(0, 300)}`,
      value: 1,
      unit: 'failure',
    })),
  ];
}

/** So many failures are told one by one. */
const mostTold = 20;
