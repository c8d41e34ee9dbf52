/**
 * What the captured rows show of each thread, and which runs an audit calls vanished: the same source and analysis as
 * `forkscope audit rows.jsonl --ledger ledger.jsonl`. Easy to get wrong: ages are counted to a moment after the last
 * capture, at which nobody can still be at work on any of it.
 */
import { defaultLimits } from '#analysis/model/ledger.ts';
import type { RowsShow } from '#analysis/vanish/fate.ts';
import { analyserFor } from '#src/audit/prepared-analyser.ts';
import { parseLedgerMap } from '#src/source/ledger-map.ts';
import { openSource } from '#src/source/open-source.ts';

/** What an audit of the files says. */
export interface Standings {
  /** Thread → what its rows show; a thread without rows is absent. */
  readonly rows: ReadonlyMap<string, RowsShow>;
  /** Runs that it calls vanished. */
  readonly vanished: ReadonlySet<string>;
}

/** The age, in milliseconds, from which the audit misses a run. */
export const vanishAfterMs = 1_000;

/** Audits the files as of that moment. *Cost*: reads and analyses all rows. */
export async function readStandings(rows: string, ledger: string, asOfMs: number): Promise<Standings> {
  const { source } = await openSource({
    place: rows,
    filter: { threads: null, schema: null },
    effects: null,
    ledgers: {
      ledger: { kind: 'file', file: ledger, map: parseLedgerMap([]), words: new Map() },
      active: null,
      asOfMs,
      questions: { limits: { ...defaultLimits, vanishAfterMs }, breakpoints: null, minAgeMs: null },
    },
  });
  const shown = new Map<string, RowsShow>();
  const vanished = new Set<string>();
  try {
    const analyse = await analyserFor(source.options);
    for await (const evidence of source.threads()) {
      const report = await analyse(evidence);
      const hasRows = report.namespaces.some(({ checkpoints }) => checkpoints > 0);
      if (hasRows) shown.set(evidence.rows.thread, report.next.length > 0 ? 'unfinished' : 'finished');
      for (const { kind, witness } of report.findings) {
        if (kind === 'vanished-run') for (const run of witness) vanished.add(run);
      }
    }
  } finally {
    source.close?.();
  }
  return { rows: shown, vanished };
}
