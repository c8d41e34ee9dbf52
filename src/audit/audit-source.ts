/**
 * Audits a source: every thread through the same analysis, told as a table, as JSON or line by line. Easy to get
 * wrong: a source can hold a million threads, so a report is told or folded as it comes and never kept.
 */
import type { Verdict } from '#analysis/model/finding.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { analyseAll } from '../pool/analysis-pool.ts';
import { AuditJson, threadLine, totalsLine } from '../report/audit-json.ts';
import { auditText, worstThreads } from '../report/audit-text.ts';
import type { Palette } from '../report/style.ts';
import { openSource, type SourceRequest } from '../source/open-source.ts';
import { Anonymizer } from './anonymize.ts';
import { logSummary, withoutFoundNodes, type AuditedSource } from './audited-source.ts';
import { SourceTally } from './thread-verdicts.ts';
import { WorstThreads } from './worst-threads.ts';

/** What to audit and how to tell it. */
export interface AuditOptions extends SourceRequest {
  /** The user's own, checked beside those that the source derives. */
  readonly rules: readonly CountRule[];
  /** Threads, schemas, nodes, channels and ids get neutral names in everything that is told. */
  readonly anonymize: boolean;
  readonly format: 'table' | 'json' | 'ndjson';
  /** List every thread, not only those with a warning or an error. */
  readonly allThreads: boolean;
  readonly palette: Palette;
  /** Takes the result, in pieces. */
  readonly write: (text: string) => void;
  /** Takes what should be known beside the result, a sentence each. */
  readonly note: (sentence: string) => void;
  readonly stop: AbortSignal;
}

/** Writes the report and returns the verdict. *Fails* with an OperatorError that names file and line. */
export async function auditSource(options: AuditOptions): Promise<Verdict> {
  const { format, write, palette, allThreads } = options;
  const { source, log } = await openSource(options);
  const asked = { ...source.options, rules: [...source.options.rules, ...options.rules] };
  const names = options.anonymize ? new Anonymizer(asked) : null;
  const summary = log === null ? null : logSummary(source, log);
  const audited: AuditedSource = { name: source.name, log: summary };
  const shown = names?.source(audited) ?? audited;
  if (shown.log !== null) options.note(shown.log.sentence);
  const missing = new Set(options.filter.threads);
  const evidence = names?.watch(source.threads()) ?? source.threads();
  const sums = new SourceTally();
  const worst = new WorstThreads(worstThreads);
  const json = new AuditJson(shown.name, write);
  for await (const { report: original } of analyseAll(evidence, asked, options.stop)) {
    missing.delete(original.thread);
    const report = names?.report(original) ?? original;
    sums.add(report);
    worst.add(report);
    if (!allThreads && !isNotable(report)) continue;
    if (format === 'ndjson') write(`${threadLine(report)}\n`);
    else if (format === 'json') json.thread(report);
  }
  if (missing.size > 0) throw absentThreads(source.name.name, [...missing]);
  const total = sums.summary;
  const known = withoutFoundNodes(shown, total.nodes);
  if (format === 'ndjson') write(`${totalsLine(known, total)}\n`);
  else if (format === 'json') json.end(known, total);
  else write(`${auditText(known, total, worst.reports, palette)}\n`);
  return total.verdict;
}

function isNotable({ findings }: ThreadReport): boolean {
  return findings.some(({ severity }) => severity !== 'info');
}

function absentThreads(place: string, [first, ...others]: readonly string[]): OperatorError {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return new OperatorError({
    happened: `neither rows nor log know the thread ${first ?? ''}${more}`,
    place,
    remedy: 'Check --thread; ids are compared exactly.',
  });
}
