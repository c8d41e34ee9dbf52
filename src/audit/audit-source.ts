/**
 * Audits a source: every thread through the same analysis, told as a table, as JSON or line by line. Easy to get
 * wrong: a source can hold a million threads, so a report is told or folded as it comes and never kept.
 */
import type { CountRule } from '#analysis/model/invariant.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { analyseAll } from '../pool/analysis-pool.ts';
import { auditShards } from '../pool/audit-shards.ts';
import { WorkPool } from '../pool/work-pool.ts';
import { AuditJson, threadLine, totalsLine } from '../report/audit-json.ts';
import { auditText, worstThreads } from '../report/audit-text.ts';
import type { Palette } from '../report/style.ts';
import type { EffectsLog } from '../source/effects-log.ts';
import { openSource, type SourceRequest } from '../source/open-source.ts';
import type { Source } from '../source/source.ts';
import { Anonymizer } from './anonymize.ts';
import { logSummary, withoutFoundNodes, type AuditedSource } from './audited-source.ts';
import { isListed, type Listing } from './listed-threads.ts';
import { ledgersSummary } from './ledgers-summary.ts';
import { anonymousDamage, damageOf, verdictDespite } from './source-damage.ts';
import { SourceTally, type SourceSummary } from './thread-verdicts.ts';
import { WorstThreads } from './worst-threads.ts';

/** What to audit and how to tell it. */
export interface AuditOptions extends SourceRequest {
  /** The user's own, checked beside those that the source derives. */
  readonly rules: readonly CountRule[];
  /** Threads, schemas, nodes, channels and ids get neutral names in everything that is told. */
  readonly anonymize: boolean;
  readonly format: 'table' | 'json' | 'ndjson';
  readonly listing: Listing;
  readonly palette: Palette;
  /** Takes the result, in pieces. */
  readonly write: (text: string) => void;
  /** Takes what should be known beside the result, a sentence each. */
  readonly note: (sentence: string) => void;
  readonly stop: AbortSignal;
  /** Told how many threads were analysed so far. */
  readonly onAnalysed?: (threads: number) => void;
}

/** Writes the report and returns what it sums up to. *Fails* with an OperatorError that names file and line. */
export async function auditSource(options: AuditOptions): Promise<SourceSummary> {
  const pool = new WorkPool(youngMegabytes);
  try {
    const { source, log } = await openSource({
      ...options,
      reading: {
        ...options.reading,
        stop: options.stop,
        sort: (block, choice) => pool.sortBlock(block, choice),
      },
    });
    try {
      return await auditOpened(source, log, options, pool);
    } finally {
      source.close?.();
    }
  } finally {
    await pool.close();
  }
}

async function auditOpened(
  source: Source,
  log: EffectsLog | null,
  options: AuditOptions,
  pool: WorkPool,
): Promise<SourceSummary> {
  const { format, write, palette, listing, onAnalysed } = options;
  const asked = { ...source.options, rules: [...source.options.rules, ...options.rules] };
  const names = options.anonymize ? new Anonymizer(asked) : null;
  const summary = log === null ? null : logSummary(source, log);
  const audited: AuditedSource = {
    name: source.name,
    log: summary,
    ...(source.survey === undefined ? {} : { survey: source.survey }),
    ...(source.ledgers === undefined ? {} : { ledgers: ledgersSummary(source.ledgers) }),
  };
  const shown = names?.source(audited) ?? audited;
  if (shown.log !== null) options.note(shown.log.sentence);
  const missing = new Set(options.filter.threads);
  const sums = new SourceTally();
  const worst = new WorstThreads(worstThreads, listing);
  const json = new AuditJson(shown.name, write);
  const tell = (report: ThreadReport): void => {
    worst.add(report);
    if (format === 'table' || !isListed(report, listing)) return;
    if (format === 'ndjson') write(`${threadLine(report)}\n`);
    else json.thread(report);
  };
  const { shards } = source;
  if (names === null && shards?.replaces === source.threads) {
    const reports =
      format === 'table'
        ? ({ kind: 'worst', limit: worstThreads, listing } as const)
        : ({ kind: 'listed', listing } as const);
    for await (const audit of auditShards(shards, asked, reports, pool, options.stop)) {
      for (const thread of audit.seen) missing.delete(thread);
      sums.merge(audit.summary);
      source.skipped?.merge(audit.skipped);
      onAnalysed?.(sums.threads);
      for (const report of audit.reports) tell(report);
    }
  } else {
    const evidence = names?.watch(source.threads()) ?? source.threads();
    for await (const { report: original } of analyseAll(evidence, asked, options.stop, pool)) {
      missing.delete(original.thread);
      const report = names?.report(original) ?? original;
      sums.add(report);
      onAnalysed?.(sums.threads);
      tell(report);
    }
  }
  if (missing.size > 0) throw absentThreads(source.name.name, [...missing]);
  const { known, total } = afterAll(source, shown, sums.summary, options);
  if (format === 'ndjson') write(`${totalsLine(known, total)}\n`);
  else if (format === 'json') json.end(known, total);
  else write(`${auditText(known, total, worst.reports, palette, names !== null)}\n`);
  return total;
}

/** What is known after the last thread only: which names are nodes after all, and which rows were left out. */
function afterAll(
  source: Source,
  shown: AuditedSource,
  sums: SourceSummary,
  { reading, anonymize }: AuditOptions,
): { readonly known: AuditedSource; readonly total: SourceSummary } {
  const total = surveyed(sums, source);
  const known = withoutFoundNodes(shown, total.nodes);
  if (reading?.keepGoing !== true) return { known, total };
  const damage = damageOf(source);
  return {
    known: { ...known, damage: anonymize ? anonymousDamage(damage) : damage },
    total: { ...total, verdict: verdictDespite(damage, total.verdict) },
  };
}

/** With the counts of all threads where only the suspicious ones were analysed; forks are none in the others. */
function surveyed(summary: SourceSummary, { survey }: Source): SourceSummary {
  if (survey === undefined) return summary;
  const { threads, namespaces, checkpoints } = survey;
  return { ...summary, totals: { ...summary.totals, threads, namespaces, checkpoints } };
}

/** Room for short-lived objects in each of the pool's threads: decoding makes little else. */
const youngMegabytes = 32;

function absentThreads(place: string, [first, ...others]: readonly string[]): OperatorError {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return new OperatorError({
    happened: `neither rows nor log nor ledger know the thread ${first ?? ''}${more}`,
    place,
    remedy: 'Check --thread; ids are compared exactly.',
  });
}
