/**
 * A log that loses records: the oracle for telling lost records from runs that began in the middle of the graph. It
 * loses from the log only; what happened, and what the rows show, stays.
 */
import type { Effect } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import { logHealth } from '#analysis/executions/log-health.ts';
import type { Played } from './simulate.ts';

/** Evidence whose log lacks some records, and which they are. */
export interface Lossy {
  readonly evidence: ThreadEvidence;
  readonly lost: readonly Effect[];
}

/** Drops the records that `loses` picks. With `table` the second instrument still has all of them. */
export function loseRecords(played: Played, loses: (effect: Effect) => boolean, table: boolean): Lossy {
  const kept = played.effects.filter((effect) => !loses(effect));
  return {
    lost: played.effects.filter(loses),
    evidence: {
      ...played.evidence,
      log: {
        effects: kept,
        table: table ? played.effects : null,
        health: logHealth(kept, played.accounts),
      },
    },
  };
}
