/**
 * A stored series as a source of evidence: rows one thread at a time, with the effects, runs and log accounts that
 * belong to it. The rows of one thread stand together in `rows.jsonl` (a trial is captured in one write), so only one
 * thread's rows are in memory; effects and runs are small and are indexed whole.
 */
import { createReadStream, existsSync } from 'node:fs';
import { z } from 'zod';
import type { Effect, LogHealth, WorkerLogAccount } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import { logHealth } from '#analysis/executions/log-health.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { readNeutralThreads } from '../dump/neutral-rows.ts';
import { historyEventSchema } from '../rundir/history-event.ts';
import { layoutOf } from '../rundir/layout.ts';
import { effectSchema } from './effect-line.ts';
import { textLines } from './text-lines.ts';

/** How a trial of the series ended, by its thread. */
export interface StoredTrial {
  readonly trial: number;
  readonly thread: ThreadId;
  /** Null when it completed; `unfinished` when the history ends before the trial does. */
  readonly abortReason: string | null;
}

/** A run directory, opened. */
export interface RunDirectorySource {
  readonly trials: ReadonlyMap<ThreadId, StoredTrial>;
  readonly runs: ReadonlyMap<ThreadId, readonly RunRecord[]>;
  readonly health: LogHealth;
  /** Evidence of every thread that has rows, effects or a trial. */
  readonly threads: () => AsyncIterable<ThreadEvidence>;
}

/** Opens a run directory. Fails with an OperatorError that names file and line. */
export async function openRunDirectory(folder: string): Promise<RunDirectorySource> {
  const layout = layoutOf(folder);
  const { trials, runs, accounts } = await readHistory(layout.history);
  const effects = await readEffects(layout.effects);
  const table = existsSync(layout.effectsTable) ? await readEffects(layout.effectsTable) : null;
  const health = logHealth([...effects.values()].flat(), accounts);
  const evidenceOf = (rows: ThreadEvidence['rows']): ThreadEvidence => ({
    rows,
    log: {
      effects: effects.get(rows.thread) ?? [],
      table: table === null ? null : (table.get(rows.thread) ?? []),
      health,
    },
    runs: runs.get(rows.thread) ?? [],
  });
  return {
    trials,
    runs,
    health,
    threads: async function* () {
      const seen = new Set<ThreadId>();
      for await (const rows of readNeutralThreads(layout.rows, 'contiguous')) {
        seen.add(rows.thread);
        yield evidenceOf(rows);
      }
      for (const thread of new Set([...trials.keys(), ...effects.keys()])) {
        if (!seen.has(thread))
          yield evidenceOf({ thread, schema: null, checkpoints: [], blobs: [], writes: [] });
      }
    },
  };
}

async function readHistory(path: string): Promise<{
  trials: Map<ThreadId, StoredTrial>;
  runs: Map<ThreadId, RunRecord[]>;
  accounts: WorkerLogAccount[];
}> {
  const trials = new Map<ThreadId, StoredTrial>();
  const threadOf = new Map<number, ThreadId>();
  const runs = new Map<ThreadId, RunRecord[]>();
  const accounts: WorkerLogAccount[] = [];
  const settle = (trial: number, abortReason: string | null) => {
    const thread = threadOf.get(trial);
    if (thread !== undefined) trials.set(thread, { trial, thread, abortReason });
  };
  for await (const event of readLines(path, historyEventSchema)) {
    if (event.event === 'trial') {
      const thread = event.thread as ThreadId;
      threadOf.set(event.trial, thread);
      settle(event.trial, 'the history ends before the trial does');
    } else if (event.event === 'completed') settle(event.trial, null);
    else if (event.event === 'aborted') settle(event.trial, event.reason);
    else if (event.event === 'run') grouped(runs, event.record.thread).push(event.record);
    else if (event.event === 'account')
      accounts.push({ worker: event.worker, finalSequence: event.finalSequence });
  }
  return { trials, runs, accounts };
}

async function readEffects(path: string): Promise<Map<ThreadId, Effect[]>> {
  const byThread = new Map<ThreadId, Effect[]>();
  if (!existsSync(path)) return byThread;
  for await (const effect of readLines(path, effectSchema)) grouped(byThread, effect.thread).push(effect);
  return byThread;
}

function grouped<K, V>(groups: Map<K, V[]>, key: K): V[] {
  let group = groups.get(key);
  if (group === undefined) groups.set(key, (group = []));
  return group;
}

/**
 * Decodes a JSONL file line by line. A last line without its line feed is what a killed writer leaves; it is skipped
 * if it is not whole, since the writer never said that it had written it.
 */
async function* readLines<T>(path: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  if (!existsSync(path)) {
    throw new OperatorError({
      happened: 'the run directory lacks this file',
      place: path,
      remedy: 'Restore the folder, or run the series again.',
    });
  }
  for await (const { text, number, isEnded } of textLines(createReadStream(path), path)) {
    const decoded = decodeLine(text, schema);
    if (decoded.success) yield decoded.value;
    else if (isEnded) {
      throw new OperatorError({
        happened: decoded.problem,
        place: `${path}, line ${number}`,
        remedy: 'Restore the file; a run directory must not be edited.',
      });
    }
  }
}

function decodeLine<T>(
  line: string,
  schema: z.ZodType<T>,
): { success: true; value: T } | { success: false; problem: string } {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch (error) {
    return {
      success: false,
      problem: `the line is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const decoded = schema.safeParse(raw);
  return decoded.success
    ? { success: true, value: decoded.data }
    : { success: false, problem: `the line does not decode: ${z.prettifyError(decoded.error)}` };
}
