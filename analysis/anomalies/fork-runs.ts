/**
 * When the run behind a fork's child was at work. With recorded runs that is [first read, last put]; from rows alone
 * it is the hull of what the run certainly did: the id times of its rows and the effects joined to them. Easy to get
 * wrong: a subtree also holds later turns, which prove nothing about the fork; only the run that made the child does.
 */
import { getOrMake, pushTo } from '#analysis/model/maps.ts';
import type { RunToken } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import type { FatedExecution } from '#analysis/executions/fates.ts';
import { childrenOf, rowAt } from '#analysis/lineage/tree.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import { reentered } from '#analysis/rows/re-entry.ts';

/** A span of time in which a run was certainly at work; both ends in milliseconds of one clock. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Rows that the run which made `first` wrote: it and what follows, up to the next input, update, copy or resume. */
export function runRows(account: NamespaceAccount, first: number): number[] {
  const { tree } = account;
  const rows: number[] = [];
  const open = [first];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    rows.push(at);
    const row = rowAt(tree, at);
    for (const child of childrenOf(tree, at)) {
      const next = rowAt(tree, child);
      if (next.source !== 'loop' || account.edges[child]?.kind !== 'superstep' || reentered(row, next))
        continue;
      if (row.run !== next.run) continue;
      open.push(child);
    }
  }
  return rows;
}

/** Wall times of effects by the edge that committed them. */
export type EffectTimes = ReadonlyMap<NamespaceAccount, ReadonlyMap<number, readonly number[]>>;

/** Collects the effect times of committed executions. */
export function effectTimes(fates: readonly FatedExecution[]): EffectTimes {
  const times = new Map<NamespaceAccount, Map<number, number[]>>();
  for (const { execution, fate } of fates) {
    if (fate.kind !== 'committed') continue;
    const edges = getOrMake(times, fate.account, () => new Map<number, number[]>());
    for (const { wallMs } of execution.effects) if (wallMs !== null) pushTo(edges, fate.child, wallMs);
  }
  return times;
}

/** The hull of what the run that made `child` certainly did; null when no id carries a time. */
export function workSpan(account: NamespaceAccount, child: number, effects: EffectTimes): Span | null {
  let fromMs = Infinity;
  let toMs = -Infinity;
  for (const at of runRows(account, child)) {
    const made = idTimeMs(rowAt(account.tree, at).id);
    for (const time of [made, ...(effects.get(account)?.get(at) ?? [])]) {
      if (time === null) continue;
      fromMs = Math.min(fromMs, time);
      toMs = Math.max(toMs, time);
    }
  }
  return fromMs === Infinity ? null : { fromMs, toMs };
}

/** The recorded span of the run that made `child`; null when it was not recorded or the row names no run. */
export function recordedSpan(
  account: NamespaceAccount,
  child: number,
  runs: ReadonlyMap<RunToken, RunRecord>,
): Span | null {
  const { run } = rowAt(account.tree, child);
  const record = run === null ? undefined : runs.get(run);
  if (record === undefined || record.firstReadMs === null || record.lastPutMs === null) return null;
  return { fromMs: record.firstReadMs, toMs: record.lastPutMs };
}

/** Whether two spans share a moment. */
export function overlap(a: Span, b: Span): boolean {
  return a.fromMs <= b.toMs && b.fromMs <= a.toMs;
}
