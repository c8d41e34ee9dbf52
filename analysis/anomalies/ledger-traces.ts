/**
 * Which rows of a thread can be a ledger run's own? By run id where rows store one, else by time: nothing that a run
 * did is older than its acceptance. Easy to get wrong: an id of a row proves nothing about a ledger that counts its runs
 * by other ids, so ids of rows exclude a run only in a thread where another run was found by its id.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { LedgerEvidence, LedgerRun } from '#analysis/model/ledger.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import { headOf } from '#analysis/lineage/head.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { rowTimeMs } from '#analysis/rows/row-time.ts';
import type { ThreadFacts } from './facts.ts';
import type { RunTrace, UnledgeredRows } from './ledger-facts.ts';

/** The clocks of ledger and workers may disagree by so much: rows a little older than a run can still be its own. */
export const clockToleranceMs = 1_000;

/** What the rows of one thread show of the ledger's runs, and the other way round. */
export interface LedgerTraces {
  readonly of: (run: LedgerRun) => RunTrace;
  /** Null when a run of the ledger can have made every row. */
  readonly unledgered: UnledgeredRows | null;
}

/** A row or an effect, with the run it names. */
interface Deed {
  readonly run: string | null;
  readonly timeMs: number | null;
  /** Null for an effect. */
  readonly checkpoint: CheckpointRow['id'] | null;
}

type Known = Pick<ThreadFacts, 'evidence' | 'thread' | 'standing'>;

/** Looks for traces. *Cost*: linear in rows and effects, and logarithmic in the runs for each. */
export function ledgerTraces(facts: Known, { runs, oldestMs }: LedgerEvidence): LedgerTraces {
  const deeds = deedsOf(facts);
  const ledgered = new Set(runs.map(({ run }) => run));
  const found = new Set<string>();
  for (const { run } of deeds) if (run !== null && ledgered.has(run)) found.add(run);
  // What names a run of its own is no other's, once one such name proves that both sides mean the same ids.
  const isElsewhere = ({ run }: Deed): boolean => run !== null && (ledgered.has(run) || found.size > 0);
  const anyones = deeds.filter((deed) => !isElsewhere(deed));
  const starts = runs.map(startOf).sort((a, b) => a - b);
  const [first = Infinity, second = Infinity] = starts;
  const newest = anyones.reduce((latest, deed) => Math.max(latest, timeOf(deed, Infinity)), -Infinity);
  const strangers = anyones.some((deed) => isBetween(deed, oldestMs ?? Infinity, first));
  const alone = !strangers && anyones.some((deed) => isBetween(deed, first, second));
  const hidden = hiddenWork(facts);
  const of = (run: LedgerRun): RunTrace => {
    if (found.has(run.run)) return { kind: 'own', by: 'id' };
    const start = startOf(run);
    if (newest >= start) {
      if (alone && start === first) return { kind: 'own', by: 'elimination' };
      const reason =
        'its thread has checkpoints or effects of that time that other runs may have made, and none names its run';
      return { kind: 'open', reason };
    }
    return hidden === null ? { kind: 'none' } : { kind: 'open', reason: hidden };
  };
  const unledgered = deeds.filter((deed) =>
    deed.run !== null && found.size > 0 ? !ledgered.has(deed.run) : timeOf(deed, Infinity) < first,
  );
  return { of, unledgered: summed(runs.length === 0 ? deeds : unledgered, oldestMs) };
}

function deedsOf({ evidence: { rows, log } }: Known): readonly Deed[] {
  const deeds: Deed[] = rows.checkpoints.map((row) => ({
    run: runOf(row),
    timeMs: rowTimeMs(row),
    checkpoint: row.id,
  }));
  for (const { run, wallMs } of log?.effects ?? []) deeds.push({ run, timeMs: wallMs, checkpoint: null });
  return deeds;
}

/** The run that a row names: our own token, or the `run_id` that Python keeps from the run's configuration. */
function runOf({ run, metadata }: CheckpointRow): string | null {
  const runId = metadata.get('run_id');
  return run ?? (typeof runId === 'string' && runId !== '' ? runId : null);
}

/** The first moment at which a run can have done something. */
function startOf({ createdMs }: LedgerRun): number {
  return createdMs === null ? -Infinity : createdMs - clockToleranceMs;
}

/** What tells no time may be of any. */
function timeOf({ timeMs }: Deed, otherwise: number): number {
  return timeMs ?? otherwise;
}

function isBetween({ timeMs }: Deed, fromMs: number, toMs: number): boolean {
  return timeMs !== null && timeMs >= fromMs && timeMs < toMs;
}

/** Why a run may have been at work without a checkpoint or an effect that shows it; null when it cannot have been. */
function hiddenWork({ evidence, thread, standing }: Known): string | null {
  const { rows } = evidence;
  if (rows.damagedRows !== undefined) return 'rows of its thread could not be read';
  if (thread.namespaces.some(({ edges }) => edges.some(({ kind }) => kind === 'compacted')))
    return 'its thread has checkpoints that several steps share, as a run stores them when it ends';
  const root = thread.byName.get(rootNamespace);
  if (root === undefined || root.tree.rows.length === 0) {
    return (rows.writes ?? []).length === 0 ? null : 'its thread has stored writes without a checkpoint';
  }
  if (standing.status === 'terminal') return null;
  const head = rowAt(root.tree, headOf(root.tree));
  const later = thread.writes
    .at(rootNamespace, head.id)
    .some(({ channel }) => channel !== '__interrupt__' && channel !== '__scheduled__');
  return later ? 'writes under the head of its thread may be its own, and they carry no time' : null;
}

function summed(deeds: readonly Deed[], oldestMs: number | null): UnledgeredRows | null {
  const runs = new Set<string>();
  let checkpoints = 0;
  let older = 0;
  let newest: CheckpointRow['id'] | null = null;
  for (const { run, timeMs, checkpoint } of deeds) {
    if (checkpoint === null) continue;
    checkpoints += 1;
    if (run !== null) runs.add(run);
    if (timeMs !== null && oldestMs !== null && timeMs < oldestMs - clockToleranceMs) older += 1;
    if (newest === null || checkpoint > newest) newest = checkpoint;
  }
  return newest === null ? null : { checkpoints, runs: [...runs].sort(), older, newest };
}
