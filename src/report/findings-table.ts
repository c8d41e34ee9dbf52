/** Findings by kind: how many threads, what it means, and one example with its "because". Gravest first. */
import Table from 'cli-table3';
import { catalogue } from '#analysis/anomalies/catalogue.ts';
import type { Severity } from '#analysis/model/finding.ts';
import type { FindingSummary } from '../audit/finding-tally.ts';
import { printable } from './printable.ts';
import { counted, grouped } from './quantity-text.ts';
import { paint, plainBorders, type Palette } from './style.ts';

const gravity: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** The table's text; a sentence when there is no finding. `of` is the number of threads looked at. */
export function findingsTable(findings: readonly FindingSummary[], of: number, palette: Palette): string {
  if (findings.length === 0) return `No finding in ${counted(of, 'thread')}.`;
  const table = new Table({
    ...plainBorders(palette),
    head: ['finding', 'severity', 'threads', 'count', 'what it means, and an example'],
    colWidths: [null, null, null, null, 66],
    colAligns: ['left', 'left', 'right', 'right', 'left'],
    wordWrap: true,
  });
  for (const summary of findings.toSorted((a, b) => gravity[a.severity] - gravity[b.severity])) {
    const { kind, severity, threads, instances } = summary;
    table.push([
      paint(palette, severity, kind),
      severity,
      `${grouped(threads)}/${grouped(of)}`,
      grouped(instances),
      `${catalogue[kind].definition}\ne.g. ${exampleText(summary)}`,
    ]);
  }
  return table.toString();
}

function exampleText({ example, exampleSchema }: FindingSummary): string {
  const schema = exampleSchema === null ? '' : `${printable(exampleSchema, 30)}: `;
  return `${schema}${printable(example.thread, 60)}: ${printable(example.because, 600)}`;
}
