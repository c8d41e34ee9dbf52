/**
 * What of a source could not be read, where the operator asked to go on. Easy to get wrong: which rows were left out is
 * known only after the last thread, and rows that are gone may have held anything, so such a source is never valid.
 */
import type { Verdict } from '#analysis/model/finding.ts';
import { mergeVerdicts } from '#analysis/model/verdict.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { SkippedSummary } from '../source/skipped-rows.ts';
import type { Source } from '../source/source.ts';

/** Faults of the text as a whole, and rows that were left out one by one. */
export interface SourceDamage {
  /** A phrase each, with its place: where the text ends too early, what an archive's reader said. */
  readonly faults: readonly string[];
  readonly skipped: SkippedSummary;
}

/** What was left out of a source; call it after the last thread. */
export function damageOf({ faults = [], skipped }: Source): SourceDamage {
  return {
    faults: faults.map(faultText),
    skipped: skipped?.summary ?? { byTable: new Map(), examples: [] },
  };
}

/** Without the remedy: that was to go on. */
function faultText(fault: Error): string {
  if (!(fault instanceof OperatorError)) return fault.message;
  const expected = fault.expected === null ? '' : `, expected ${fault.expected}`;
  return `${fault.happened}${expected} (${fault.place})`;
}

/** How many rows were left out. */
export function skippedRows({ skipped }: SourceDamage): number {
  let rows = 0;
  for (const count of skipped.byTable.values()) rows += count;
  return rows;
}

/** The verdict of what was read, `unknown` at best where anything was not. */
export function verdictDespite(damage: SourceDamage, verdict: Verdict): Verdict {
  const isWhole = damage.faults.length === 0 && skippedRows(damage) === 0;
  return isWhole ? verdict : mergeVerdicts([verdict, 'unknown']);
}

/** LangGraph's own tables are no secret; partitions, schemas, files and values may be. */
const publicTables = ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'];

/** The same counts without a name: places tell files and schemas, and reasons quote values. */
export function anonymousDamage({ faults, skipped }: SourceDamage): SourceDamage {
  const byTable = new Map<string, number>();
  for (const [table, rows] of skipped.byTable) {
    const bare = publicTables.find((name) => table === name || table.endsWith(`.${name}`)) ?? 'another table';
    byTable.set(bare, (byTable.get(bare) ?? 0) + rows);
  }
  return {
    faults: faults.map(() => 'a fault of the text as a whole (told without --anonymize)'),
    skipped: { byTable, examples: [] },
  };
}
