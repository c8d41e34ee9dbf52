/** A ledger for people: what it holds, what became of its runs, and which moment was taken for now. */
import { ledgerClasses, type LedgerCounts } from '#analysis/model/ledger.ts';
import type { LedgersSummary } from '../audit/ledgers-summary.ts';
import { printable } from './printable.ts';

const originText = {
  given: 'as --as-of says',
  server: "by the server's clock",
  newest: 'the newest time in rows and ledger',
} as const;

/** Paragraphs; none where nothing was joined. `counts`: of the threads that were told; absent: of none. */
export function ledgerText(
  summary: LedgersSummary | undefined,
  counts: LedgerCounts | undefined,
): readonly string[] {
  if (summary === undefined) return [];
  const { ledger, active, asOf } = summary;
  const sentences: string[] = [];
  if (ledger !== null) {
    const became = ledgerClasses.flatMap((name) => {
      const runs = counts?.get(name) ?? 0;
      return runs === 0 ? [] : [`${runs} ${name}`];
    });
    const told = became.length === 0 ? '' : `: ${became.join(', ')}`;
    sentences.push(`ledger ${printable(ledger.name, 200)}: ${runsText(ledger.runs, ledger.threads)}${told}`);
    if (ledger.threadless > 0) sentences.push(`${ledger.threadless} of its records name no thread`);
    const words = [...ledger.unknownWords].map(([word, runs]) => `${printable(word, 40)} ${runs}`);
    if (words.length > 0) {
      sentences.push(`unknown status: ${words.slice(0, 10).join(', ')} (--ledger-status says what it means)`);
    }
  }
  if (active !== null) sentences.push(`${printable(active.name, 200)}: ${active.threads} threads are held`);
  if (asOf !== null) sentences.push(`ages are counted to ${timeText(asOf.ms)}, ${originText[asOf.origin]}`);
  return sentences.length === 0 ? [] : [sentences.join('\n')];
}

function runsText(runs: number, threads: number): string {
  return `${runs} ${runs === 1 ? 'run' : 'runs'} of ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
}

/** ISO 8601; beyond what a date can be, the number. */
export function timeText(ms: number): string {
  return Math.abs(ms) > 8.64e15 ? `${ms} ms` : new Date(ms).toISOString();
}
