/**
 * When did a thread last show a sign of life? Its rows, its effects and the heartbeats of its runs each tell; the newest
 * counts. Easy to get wrong: a subgraph may be at work for an hour while the root namespace stands still.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import { rowTimeMs } from '#analysis/rows/row-time.ts';

/** Unix milliseconds of the newest row or effect, in any namespace; null when none tells. *Cost*: linear. */
export function newestTrace({ rows, log }: ThreadEvidence): number | null {
  let newest = -Infinity;
  for (const row of rows.checkpoints) newest = Math.max(newest, rowTimeMs(row) ?? -Infinity);
  for (const { wallMs } of log?.effects ?? []) newest = Math.max(newest, wallMs ?? -Infinity);
  return newest === -Infinity ? null : newest;
}

/** The same with the heartbeats of the ledger's runs. */
export function newestSign(evidence: ThreadEvidence): number | null {
  let newest = newestTrace(evidence) ?? -Infinity;
  for (const { heartbeatMs } of evidence.ledger?.runs ?? [])
    newest = Math.max(newest, heartbeatMs ?? -Infinity);
  return newest === -Infinity ? null : newest;
}
