/**
 * A report told in sentences: what was found, where, and because of what. Built from data last, so that machines read
 * the data and people the sentences, and neither can say something else. Easy to get wrong: what could not be decided
 * belongs into the story, since silence would read as "nothing wrong".
 */
import type { Finding } from '#analysis/model/finding.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { catalogue } from '#analysis/anomalies/catalogue.ts';

/** One finding as a sentence. */
export function narrateFinding(finding: Finding): string {
  const where = finding.namespace === null || finding.namespace === '' ? '' : ` in ${finding.namespace}`;
  return `${finding.severity}: ${catalogue[finding.kind].title}${where}: ${finding.because}.`;
}

/** A thread's report, one sentence a line; the verdict first, open questions last. */
export function narrate(report: ThreadReport): string {
  const rows = report.namespaces.reduce((sum, { checkpoints }) => sum + checkpoints, 0);
  const next = report.next.length > 0 ? `, next ${report.next.join(', ')}` : '';
  return [
    `Thread ${report.thread} is ${report.verdict}: ${rows} checkpoints, ${report.status}${next}.`,
    ...report.findings.map(narrateFinding),
    ...report.undecided.map(({ question, reason }) => `open: ${question}, because ${reason}.`),
  ].join('\n');
}

/** The ids that one finding rests on, each once, in the finding's order. */
export function witnessOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.flatMap((finding) => finding.witness))];
}
