/**
 * What is left of an accepted run, from two witnesses that know nothing of each other: the ledger and the rows. Easy to
 * get wrong: what a ledger says is no proof that rows exist, and rows are no proof that the ledger was told.
 */
import type { LedgerPhase } from '../model/ledger.ts';

/**
 * `vanished`: open in the ledger, no checkpoint. `resumable`: open, with checkpoints and something left to do.
 * `completed`: both say that it ended. `unrecorded`: it ended, and the ledger does not know. `failed`: the ledger says that
 * it failed. `contradicted`: the ledger says that it succeeded and the rows do not. `unentered`: the ledger has never heard
 * of it.
 */
export const fates = [
  'vanished',
  'resumable',
  'completed',
  'unrecorded',
  'failed',
  'contradicted',
  'unentered',
] as const;
/** One of {@link fates}. */
export type Fate = (typeof fates)[number];

/** What the rows of a run's thread show: none; something is next; nothing is. */
export type RowsShow = 'nothing' | 'unfinished' | 'finished';

/** The fate of an accepted run. `phase` null: it has no entry in the ledger. */
export function fateOf(phase: LedgerPhase | null, rows: RowsShow): Fate {
  if (phase === null) return 'unentered';
  if (phase === 'failed' || phase === 'cancelled') return 'failed';
  if (phase === 'succeeded') return rows === 'finished' ? 'completed' : 'contradicted';
  if (rows === 'nothing') return 'vanished';
  return rows === 'finished' ? 'unrecorded' : 'resumable';
}
