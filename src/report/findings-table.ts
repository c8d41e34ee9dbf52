/** Findings by kind: how many threads, what it means, and one example with its "because". */
import Table from 'cli-table3';
import type { FindingSummary } from '../audit/finding-tally.ts';
import { printable } from './printable.ts';
import { paint, plainBorders, type Palette } from './style.ts';

/** The table's text; a sentence when there is no finding. `of` is the number of threads looked at. */
export function findingsTable(findings: readonly FindingSummary[], of: number, palette: Palette): string {
  if (findings.length === 0) return `No finding in ${of} ${of === 1 ? 'thread' : 'threads'}.`;
  const table = new Table({
    ...plainBorders(palette),
    head: ['finding', 'severity', 'threads', 'instances', 'for example'],
    colWidths: [21, 10, 11, 11, 74],
    wordWrap: true,
  });
  for (const { kind, severity, threads, instances, example, exampleSchema } of findings) {
    table.push([
      paint(palette, severity, kind),
      severity,
      `${threads}/${of}`,
      String(instances),
      `${exampleSchema === null ? '' : `${printable(exampleSchema, 30)}: `}${printable(example.thread, 60)}: ${printable(example.because, 600)}`,
    ]);
  }
  return table.toString();
}
