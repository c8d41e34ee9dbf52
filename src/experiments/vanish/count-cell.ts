/**
 * From what was seen of a cell to counts. Easy to get wrong: what counts is what the client was told. A run that is in the
 * ledger and was never answered is no accepted run, yet a reaper will take it up, beside the client's own retry.
 */
import type { Effect } from '#analysis/model/effect.ts';
import type { LedgerPhase } from '#analysis/model/ledger.ts';
import type { Proportion } from '#analysis/model/interval.ts';
import { pushTo } from '#analysis/model/maps.ts';
import { proportionOf, type IntervalChoice } from '#analysis/statistics/proportion.ts';
import { fateOf, fates, type Fate } from '#analysis/vanish/fate.ts';
import { windowDistribution, type WindowDistribution } from '#analysis/vanish/window.ts';
import type { VanishCell } from '#trials/experiments/vanish.ts';
import type { LedgerRow } from './capture.ts';
import type { SeenCell } from './run-cell.ts';
import type { Standings } from './standings.ts';

/** What the reaper left of accepted runs. */
export interface AfterReaper {
  readonly succeeded: number;
  readonly quarantined: number;
  /** Neither, which must not be. */
  readonly other: number;
  /** Runs whose charge was made again. */
  readonly chargedAgain: Proportion | null;
  /** Services that ended while they took runs up. */
  readonly endedReapers: number;
}

/** One cell in numbers. */
export interface CountedCell {
  readonly cell: VanishCell;
  readonly kills: number;
  readonly cuts: number;
  readonly posted: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  /** Not accepted by what the client knows, and in the ledger all the same. */
  readonly enteredUnaccepted: number;
  /** Those of them that an audit calls vanished: their client knows that it must ask again. */
  readonly vanishedUnaccepted: number;
  readonly spanMs: number;
  /** Of the accepted runs; they sum up to `accepted`. */
  readonly fates: ReadonlyMap<Fate, number>;
  readonly vanished: Proportion | null;
  /** Accepted runs without a row that charged all the same. */
  readonly chargedWithoutRow: number;
  /** Runs that an audit calls vanished and this does not, or the other way round. */
  readonly auditDiffers: readonly string[];
  /** Accepted runs with several ledger rows, or without one. */
  readonly notOnce: readonly string[];
  readonly after: AfterReaper | null;
  /** Controls only: from the answer to the first row. */
  readonly window: WindowDistribution | null;
}

/** Effects by thread; the node that charges. */
export type EffectsByThread = ReadonlyMap<string, readonly Effect[]>;

const chargingNode = 'charge';

/** Counts a cell. */
export function countCell(
  seen: SeenCell,
  standings: Standings,
  effects: EffectsByThread,
  choice: IntervalChoice,
): CountedCell {
  const posted = seen.batches.flatMap((batch) => batch.posted);
  const accepted = posted.filter(({ answer }) => answer === 'accepted').map(({ order }) => order.run);
  const unaccepted = posted.filter(({ answer }) => answer !== 'accepted').map(({ order }) => order.run);
  const left = byRun(seen.left);
  const told = accepted.map((run) => {
    const phase = phaseOf(left.get(run)?.[0]);
    return { run, fate: fateOf(phase, standings.rows.get(run) ?? 'nothing') };
  });
  const count = (fate: Fate) => told.filter((each) => each.fate === fate).length;
  const charges = (run: string, attempt: 'first' | 'any') =>
    (effects.get(run) ?? []).filter(
      ({ node, run: token }) =>
        node === chargingNode && (attempt === 'any' || token?.endsWith('/attempt-1') === true),
    ).length;
  return {
    cell: seen.cell,
    kills: seen.batches.filter(({ faultMs }) => faultMs !== null).length,
    cuts: seen.batches.reduce((sum, { cuts }) => sum + cuts, 0),
    posted: posted.length,
    accepted: accepted.length,
    refused: posted.filter(({ answer }) => answer === 'refused').length,
    unanswered: posted.filter(({ answer }) => answer === 'unanswered').length,
    enteredUnaccepted: unaccepted.filter((run) => left.has(run)).length,
    vanishedUnaccepted: unaccepted.filter((run) => standings.vanished.has(run)).length,
    spanMs: seen.spanMs,
    fates: new Map(fates.map((fate) => [fate, count(fate)])),
    vanished: proportionOf(count('vanished'), accepted.length, choice),
    chargedWithoutRow: accepted.filter((run) => !standings.rows.has(run) && charges(run, 'first') > 0).length,
    auditDiffers: told
      .filter(({ run, fate }) => (fate === 'vanished') !== standings.vanished.has(run))
      .map(({ run }) => run),
    notOnce: accepted.filter((run) => left.get(run)?.length !== 1),
    after: afterReaper(seen, accepted, (run) => charges(run, 'any') > 1, choice),
    window: seen.cell.fault === 'none' ? windowDistribution(windowsOf(seen), choice.level) : null,
  };
}

function afterReaper(
  { reaped, endedReapers }: SeenCell,
  accepted: readonly string[],
  isChargedAgain: (run: string) => boolean,
  choice: IntervalChoice,
): AfterReaper | null {
  if (reaped === null) return null;
  const status = new Map(reaped.map((row) => [row.run_id, row.status]));
  const count = (word: string) => accepted.filter((run) => status.get(run) === word).length;
  const [succeeded, quarantined] = [count('succeeded'), count('quarantined')];
  return {
    succeeded,
    quarantined,
    other: accepted.length - succeeded - quarantined,
    chargedAgain: proportionOf(accepted.filter(isChargedAgain).length, accepted.length, choice),
    endedReapers,
  };
}

function windowsOf({ heard }: SeenCell): readonly number[] {
  return [...heard.values()].flatMap(({ answeredMs, storedMs }) =>
    answeredMs === null || storedMs === null ? [] : [storedMs - answeredMs],
  );
}

function byRun(rows: readonly LedgerRow[]): ReadonlyMap<string, readonly LedgerRow[]> {
  const byId = new Map<string, LedgerRow[]>();
  for (const row of rows) pushTo(byId, row.run_id, row);
  return byId;
}

function phaseOf(row: LedgerRow | undefined): LedgerPhase | null {
  if (row === undefined) return null;
  return row.status === 'succeeded' || row.status === 'failed' ? row.status : 'running';
}
