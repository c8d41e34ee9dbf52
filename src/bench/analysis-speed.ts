/**
 * How many checkpoints a second does the pure analysis take on one core, rows already parsed: ordinary unforked
 * threads with their blobs and writes, then the two hard shapes (a chain of 100,000, a star of 10,000)? Easy to get
 * wrong: rows that share objects in memory are cheaper than any source's, so each is decoded by itself first.
 */
import { analyseThread } from '#analysis/analyse.ts';
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { CheckpointId, NodeName, RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import { decodeCheckpoint } from '#analysis/rows/decode-checkpoint.ts';
import { simulate } from '#analysis/simulation/simulate.ts';
import { judged, scaled, type Benchmark, type Measure } from './benchmark.ts';

const nodes = ['plan', 'charge', 'notify', 'finish'] as NodeName[];

/** A thread of `turns` completed turns, six checkpoints each, as a dump shows it: no log, no run records. */
function ordinaryThread(number: number, turns: number): ThreadEvidence {
  const runs = Array.from({ length: turns }, (_, turn) => ({
    run: `run-${turn}` as RunToken,
    worker: 'w',
    begins: 'input' as const,
    cancelAfter: null,
    zombie: false,
  }));
  const thread = `thread-${number}` as ThreadId;
  const { evidence } = simulate({ thread, nodes, runs, schedule: [], minting: 'counted' });
  return {
    rows: { ...evidence.rows, checkpoints: evidence.rows.checkpoints.map(decoded) },
    log: null,
    runs: null,
  };
}

/** The row as a source's decoder makes it, without sharing anything with the row before it. */
function decoded(row: CheckpointRow): CheckpointRow {
  const seen = [...row.versionsSeen].map(([node, channels]) => [node, Object.fromEntries(channels)] as const);
  const checkpoint = {
    v: row.format,
    ts: row.timestamp,
    channel_versions: Object.fromEntries(row.channelVersions),
    versions_seen: Object.fromEntries(seen),
  };
  return decodeCheckpoint({
    thread_id: row.thread,
    checkpoint_ns: row.namespace,
    checkpoint_id: row.id,
    parent_checkpoint_id: row.parent,
    checkpoint: JSON.parse(JSON.stringify(checkpoint)) as unknown,
    metadata: { source: row.source, step: row.step, parents: {} },
  });
}

/** Processor time that the work takes: a busy machine does not make the analysis slower. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function lengthened(rows: readonly CheckpointRow[], count: number, star: boolean): ThreadEvidence {
  const [first, template] = [rows[0], rows[3]];
  if (first === undefined || template === undefined)
    throw new RangeError('the thread is too short to lengthen');
  const id = (at: number): CheckpointId =>
    `1f1ed063-05b6-6a00-8000-${String(at).padStart(12, '0')}` as CheckpointId;
  const made = Array.from({ length: count }, (_, at): CheckpointRow => {
    const parent = at === 0 ? null : id(star ? 0 : at - 1);
    return decoded({
      ...(at === 0 ? first : template),
      id: id(at),
      parent,
      step: star && at > 0 ? 0 : at - 1,
    });
  });
  return {
    rows: { thread: first.thread, schema: null, checkpoints: made, blobs: [], writes: [] },
    log: null,
    runs: null,
  };
}

const options = { rules: [] };

/** Few threads many times: a source hands over one thread after another, so little else is alive in memory. */
function ordinary(scale: number): Measure[] {
  const threads = Array.from({ length: 100 }, (_, number) => ordinaryThread(number, 3));
  const repeats = scaled(100, scale);
  const total = repeats * threads.reduce((sum, { rows }) => sum + rows.checkpoints.length, 0);
  const round = (): number =>
    processorMs(() => {
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (const thread of threads) analyseThread(thread, options);
      }
    });
  const rate = (tookMs: number): number => Math.round((total / tookMs) * 1000);
  const cold = rate(round());
  const warm = Math.max(rate(round()), rate(round()));
  const unit = 'checkpoints/s';
  return [
    { measure: 'ordinary threads, first round', value: cold, unit },
    judged({ measure: 'ordinary threads, warm', value: warm, unit }, { atLeast: 1_000_000 }, scale),
  ];
}

function shaped(scale: number): Measure[] {
  const sample = ordinaryThread(0, 3).rows.checkpoints;
  return [
    { shape: 'chain', full: 100_000, star: false },
    { shape: 'star', full: 10_000, star: true },
  ].map(({ shape, full, star }) => {
    const count = scaled(full, scale, 2);
    const thread = lengthened(sample, count, star);
    const value = processorMs(() => void analyseThread(thread, options));
    const measure = `a ${shape} of ${count.toLocaleString('en')} checkpoints`;
    return judged({ measure, value, unit: 'ms' }, { atMost: 2000 }, scale);
  });
}

/** One core and no input or output: all times are processor times of this process. */
export const analysisSpeed: Pick<Benchmark, 'run'> = {
  run: (scale) => Promise.resolve([...ordinary(scale), ...shaped(scale)]),
};
