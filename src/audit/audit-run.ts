/** Audits a run directory: every thread through the same analysis, told as a table, as JSON or line by line. */
import { deriveRules } from '#analysis/invariants/derive-rules.ts';
import type { Verdict } from '#analysis/model/finding.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { analyseAll } from '../pool/analysis-pool.ts';
import { auditJson, threadLine, totalsLine, type SourceName } from '../report/audit-json.ts';
import { auditText, worstThreads } from '../report/audit-text.ts';
import type { Palette } from '../report/style.ts';
import { optionsFor, readSettings } from '../rundir/series-file.ts';
import { openRunDirectory } from '../source/run-directory.ts';
import { SourceTally } from './thread-verdicts.ts';
import { WorstThreads } from './worst-threads.ts';

/** What to audit and how to tell it. */
export interface RunAuditOptions {
  readonly folder: string;
  readonly format: 'table' | 'json' | 'ndjson';
  /** List every thread, not only those with a warning or an error. */
  readonly allThreads: boolean;
  readonly palette: Palette;
  readonly write: (text: string) => void;
  readonly stop: AbortSignal;
}

/** Writes the report and returns the verdict. Fails with an OperatorError that names file and line. */
export async function auditRunDirectory(options: RunAuditOptions): Promise<Verdict> {
  const { folder, format, write, palette } = options;
  const settings = readSettings(folder);
  const rules = await deriveRules(settings.graph);
  const source = await openRunDirectory(folder);
  const name: SourceName = { kind: 'run', name: folder };
  const sums = new SourceTally();
  const worst = new WorstThreads(worstThreads);
  const listed: ThreadReport[] = [];
  for await (const { report } of analyseAll(source.threads(), optionsFor(settings, rules), options.stop)) {
    sums.add(report);
    worst.add(report);
    if (!options.allThreads && !report.findings.some(({ severity }) => severity !== 'info')) continue;
    if (format === 'ndjson') write(`${threadLine(report)}\n`);
    else if (format === 'json') listed.push(report);
  }
  const { summary } = sums;
  if (format === 'ndjson') write(`${totalsLine(name, summary)}\n`);
  else if (format === 'json') write(`${auditJson(name, summary, listed)}\n`);
  else write(`${auditText(name, summary, worst.reports, palette)}\n`);
  return summary.verdict;
}
