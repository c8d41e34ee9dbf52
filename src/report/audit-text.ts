/** An audit for people: the verdict first, then totals, findings by kind, the worst threads, and what to type next. */
import Table from 'cli-table3';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { AuditedSource } from '../audit/audited-source.ts';
import { skippedRows } from '../audit/source-damage.ts';
import type { SourceSummary } from '../audit/thread-verdicts.ts';
import { damageText } from './damage-text.ts';
import { findingsTable } from './findings-table.ts';
import { joinText } from './join-text.ts';
import { ledgerText } from './ledger-text.ts';
import { nodesTable } from './nodes-table.ts';
import { printable } from './printable.ts';
import { paint, plainBorders, type Palette } from './style.ts';

/** How many of the worst threads are listed. */
export const worstThreads = 10;

/** The whole text, without a final line feed. `worst` is worst first. */
export function auditText(
  source: AuditedSource,
  summary: SourceSummary,
  worst: readonly ThreadReport[],
  palette: Palette,
): string {
  const { verdict, totals, findings, undecided, nodes, join } = summary;
  const { kind, name } = source.name;
  const counted = nodesTable(nodes, palette);
  const tone = { valid: 'valid', invalid: 'error', unknown: 'warning' } as const;
  return [
    `${paint(palette, tone[verdict], verdict)}: ${verdictSentence(summary, source)} (${kind} ${printable(name, 300)})`,
    `${totals.threads} threads · ${totals.namespaces} namespaces · ${totals.checkpoints} checkpoints · ` +
      `${totals.forks} forks: ${totals.declaredForks} declared, ${totals.undeclaredForks} undeclared`,
    ...(source.damage === undefined ? [] : damageText(source.damage)),
    ...surveyText(source),
    ...joinText(source, join),
    ...ledgerText(source.ledgers, totals.ledger),
    ...(counted === null ? [] : [counted]),
    findingsTable(findings, totals.threads, palette),
    ...undecided.map(
      ({ question, reason, threads }) =>
        `unknown in ${threads} ${threads === 1 ? 'thread' : 'threads'}: ${printable(question, 300)}: ${printable(reason, 400)}`,
    ),
    ...(worst.length === 0 ? [] : [worstTable(worst, palette)]),
  ].join('\n\n');
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

function verdictSentence({ verdict, totals }: SourceSummary, { damage }: AuditedSource): string {
  const isPart = damage !== undefined && (damage.faults.length > 0 || skippedRows(damage) > 0);
  if (isPart && verdict === 'unknown') return 'nothing wrong was found, but not all could be read';
  if (totals.threads === 0) return 'the source holds no thread';
  switch (verdict) {
    case 'valid':
      return 'no thread shows an error, and every question could be decided';
    case 'invalid':
      return 'at least one thread shows an error';
    case 'unknown':
      return 'nothing wrong was found, but some threads cannot be judged';
  }
}

function worstTable(worst: readonly ThreadReport[], palette: Palette): string {
  const table = new Table({
    ...plainBorders(palette),
    head: ['worst threads', 'verdict', 'status', 'hidden', 'unrecorded', 'findings'],
    colWidths: [44, 10, 15, 24, 20, 40],
    wordWrap: true,
  });
  for (const report of worst) {
    const kinds = new Map<string, number>();
    for (const { kind } of report.findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    table.push([
      threadText(report),
      report.verdict,
      report.status,
      countsText(hiddenOf(report)),
      countsText(report.unrecorded),
      [...kinds].map(([kind, count]) => (count === 1 ? kind : `${kind} x${count}`)).join(', '),
    ]);
  }
  return table.toString();
}

/** With its schema where the source has several: one id in two schemas is two threads. */
function threadText({ schema, thread }: ThreadReport): string {
  return schema === null ? printable(thread, 80) : `${printable(schema, 30)}: ${printable(thread, 60)}`;
}

function hiddenOf(report: ThreadReport): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { hidden } of report.namespaces) {
    for (const [node, count] of hidden) sums.set(node, (sums.get(node) ?? 0) + count);
  }
  return sums;
}

function countsText(counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return '0';
  return [...counts].map(([node, count]) => `${printable(node, 40)} ${count}`).join(', ');
}
