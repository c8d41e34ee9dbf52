/** What a report says of the ledger and the leases that were joined with a source, before it says anything of a thread. */
import type { LedgerLimits } from '#analysis/model/ledger.ts';
import type { FieldMap } from '../source/field-map.ts';
import type { LedgerKey } from '../source/ledger-map.ts';
import type { AsOf, Ledgers } from '../source/ledgers.ts';

/** The ledger as a whole. */
export interface LedgerSummary {
  readonly name: string;
  readonly fields: FieldMap<LedgerKey>;
  readonly runs: number;
  readonly threads: number;
  /** Records of runs without a thread, which are in no class. */
  readonly threadless: number;
  /** Words of a status that are not known. */
  readonly unknownWords: ReadonlyMap<string, number>;
  readonly limits: LedgerLimits;
}

/** All of it; null for what the operator did not give. */
export interface LedgersSummary {
  readonly ledger: LedgerSummary | null;
  readonly active: { readonly name: string; readonly threads: number } | null;
  readonly asOf: AsOf | null;
  readonly breakpoints: readonly string[] | null;
  readonly minAgeMs: number | null;
}

/** Sums up. */
export function ledgersSummary({ ledger, active, asOf, questions }: Ledgers): LedgersSummary {
  const { limits, breakpoints, minAgeMs } = questions;
  return {
    ledger:
      ledger === null
        ? null
        : {
            name: ledger.name,
            fields: ledger.fields,
            runs: ledger.runs,
            threads: ledger.byThread.size,
            threadless: ledger.threadless,
            unknownWords: ledger.unknownWords,
            limits,
          },
    active: active === null ? null : { name: active.name, threads: active.leases.size },
    asOf,
    breakpoints,
    minAgeMs,
  };
}

/** The same without places; nodes are renamed by `node`. */
export function anonymousLedgers(
  { ledger, active, breakpoints, ...rest }: LedgersSummary,
  place: string,
  node: (name: string) => string,
): LedgersSummary {
  return {
    ...rest,
    ledger: ledger === null ? null : { ...ledger, name: place },
    active: active === null ? null : { ...active, name: place },
    breakpoints: breakpoints === null ? null : breakpoints.map((name) => (name === '*' ? name : node(name))),
  };
}
