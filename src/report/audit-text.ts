/** An audit for people: the verdict first, then totals, findings by kind, the worst threads, and what to type next. */
import type { ThreadReport } from '#analysis/model/report.ts';
import type { AuditedSource } from '../audit/audited-source.ts';
import { skippedRows } from '../audit/source-damage.ts';
import type { SourceSummary } from '../audit/thread-verdicts.ts';
import { damageText } from './damage-text.ts';
import { findingsTable } from './findings-table.ts';
import { joinText } from './join-text.ts';
import { ledgerText } from './ledger-text.ts';
import { nodesTable } from './nodes-table.ts';
import { nextCommands } from './next-commands.ts';
import { printable } from './printable.ts';
import { counted, grouped } from './quantity-text.ts';
import { paint, type Palette } from './style.ts';
import { worstTable } from './worst-table.ts';

/** How many of the worst threads are listed. */
export const worstThreads = 10;

/** The whole text, without a final line feed. `worst` is worst first. */
export function auditText(
  source: AuditedSource,
  summary: SourceSummary,
  worst: readonly ThreadReport[],
  palette: Palette,
  isAnonymous = false,
): string {
  const { verdict, totals, findings, undecided, nodes, join } = summary;
  const { kind, name } = source.name;
  const executions = nodesTable(nodes, palette);
  const next = nextCommands(source, worst, isAnonymous);
  const tone = { valid: 'valid', invalid: 'error', unknown: 'warning' } as const;
  return [
    `${paint(palette, tone[verdict], verdict)}: ${verdictSentence(summary, source)} (${kind} ${printable(name, 300)})`,
    totalsText(summary),
    ...(source.damage === undefined ? [] : damageText(source.damage)),
    ...surveyText(source),
    ...joinText(source, join),
    ...ledgerText(source.ledgers, totals.ledger),
    findingsTable(findings, totals.threads, palette),
    ...undecided.map(
      ({ question, reason, threads }) =>
        `unknown in ${threads} ${threads === 1 ? 'thread' : 'threads'}: ${printable(question, 300)}: ${printable(reason, 400)}`,
    ),
    ...(worst.length === 0 ? [] : [worstTable(worst, palette)]),
    ...(executions === null ? [] : [executions]),
    ...(next === null ? [] : [next]),
  ].join('\n\n');
}

function totalsText({ totals, races }: SourceSummary): string {
  const { threads, namespaces, checkpoints, forks, declaredForks, undeclaredForks } = totals;
  const kinds =
    forks === 0 ? '' : `: ${grouped(declaredForks)} declared, ${grouped(undeclaredForks)} undeclared`;
  const proved = undeclaredForks === 0 ? '' : ` (${grouped(races)} proved to be races)`;
  return [
    counted(threads, 'thread'),
    counted(namespaces, 'namespace'),
    counted(checkpoints, 'checkpoint'),
    `${counted(forks, 'fork')}${kinds}${proved}`,
  ].join(' · ');
}

/** What was analysed of a source that proved the rest ordinary itself. */
function surveyText({ survey }: AuditedSource): readonly string[] {
  if (survey === undefined) return [];
  const marks = [...survey.marks].sort((a, b) => b[1] - a[1]).map(([mark, threads]) => `${mark} ${threads}`);
  const why = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return [
    `the database proved ${survey.threads - survey.analysed} threads ordinary; ${survey.analysed} were analysed${why}. Executions below are those of the analysed threads only.`,
  ];
}

function verdictSentence({ verdict, totals, verdicts }: SourceSummary, { damage }: AuditedSource): string {
  const isPart = damage !== undefined && (damage.faults.length > 0 || skippedRows(damage) > 0);
  if (isPart && verdict === 'unknown') return 'nothing wrong was found, but not all could be read';
  if (totals.threads === 0) return 'the source holds no thread';
  switch (verdict) {
    case 'valid':
      return 'no thread shows an error, and every question could be decided';
    case 'invalid':
      return `${grouped(verdicts.invalid)} of ${counted(totals.threads, 'thread')} ${verdicts.invalid === 1 ? 'shows' : 'show'} an error${verdicts.unknown === 0 ? '' : `, and ${grouped(verdicts.unknown)} cannot be judged`}`;
    case 'unknown':
      return `nothing wrong was found, but ${grouped(verdicts.unknown)} of ${counted(totals.threads, 'thread')} cannot be judged`;
  }
}
