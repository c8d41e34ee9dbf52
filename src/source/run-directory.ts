/**
 * A stored series as a source of evidence: rows one thread at a time, with the effects, runs and log accounts that
 * belong to it. The rows of one thread stand together in `rows.jsonl` (a trial is captured in one write), so only one
 * thread's rows are in memory; effects, runs and a provider's calls are small and are indexed whole.
 */
import { existsSync } from 'node:fs';
import type { Effect, LogHealth } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import { logHealth } from '#analysis/executions/log-health.ts';
import { CallFold } from '#analysis/provider/call-fold.ts';
import type { ProviderCall } from '#analysis/model/provider.ts';
import { pushTo } from '#analysis/model/maps.ts';
import { providerEventSchema } from '../services/provider/provider-protocol.ts';
import { readNeutralThreads } from '../dump/neutral-rows.ts';
import { layoutOf } from '../rundir/layout.ts';
import { effectSchema } from './effect-line.ts';
import { readHistory, type StoredTrial } from './run-history.ts';
import { readLines } from './run-lines.ts';

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
  const calls = existsSync(layout.provider) ? await readCalls(layout.provider) : null;
  const health = logHealth([...effects.values()].flat(), accounts);
  const evidenceOf = (rows: ThreadEvidence['rows']): ThreadEvidence => ({
    rows,
    log: {
      effects: effects.get(rows.thread) ?? [],
      table: table === null ? null : (table.get(rows.thread) ?? []),
      health,
    },
    runs: runs.get(rows.thread) ?? [],
    provider: calls === null ? null : { calls: calls.get(rows.thread) ?? [] },
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

/** Calls of callers that name no thread are about none. */
async function readCalls(path: string): Promise<Map<ThreadId, ProviderCall[]>> {
  const fold = new CallFold();
  for await (const event of readLines(path, providerEventSchema)) fold.add(event);
  const byThread = new Map<ThreadId, ProviderCall[]>();
  for (const call of fold.calls) if (call.thread !== null) pushTo(byThread, call.thread, call);
  return byThread;
}

async function readEffects(path: string): Promise<Map<ThreadId, Effect[]>> {
  const byThread = new Map<ThreadId, Effect[]>();
  if (!existsSync(path)) return byThread;
  for await (const effect of readLines(path, effectSchema)) {
    const effects = byThread.get(effect.thread);
    if (effects === undefined) byThread.set(effect.thread, [effect]);
    else effects.push(effect);
  }
  return byThread;
}
