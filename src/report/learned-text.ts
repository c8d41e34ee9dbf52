/** When workers learned that a client had left, arm by arm: how many at all, how long it took, what the threads came to. */
import Table from 'cli-table3';
import type { LearnedArm } from '#analysis/disconnect/when-learned.ts';
import type { SeriesSettings } from '../rundir/series-file.ts';
import { printable } from './printable.ts';
import { intervalText, levelText, methodNames } from './proportion-text.ts';
import { plainBorders, type Palette } from './style.ts';

/** The table, and how to read it. */
export function learnedText(
  arms: readonly LearnedArm[],
  { interval: { level, method }, compared }: SeriesSettings,
  palette: Palette,
): readonly string[] {
  const table = new Table({
    ...plainBorders(palette),
    head: ['arm', 'worker learned', 'after (ms)', 'least to most', 'chunks read', 'rows in the end'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { arm, learned, afterMs, chunks, rows } of arms) {
    table.push([
      printable(arm),
      learned === null ? '-' : `${learned.count}/${learned.of}\n${intervalText(learned.interval)}`,
      afterMs === null ? 'never' : `${ms(afterMs.median)}\n${boundsText(afterMs.interval)}`,
      afterMs === null ? '-' : `${ms(afterMs.least)} to ${ms(afterMs.most)}`,
      countsText(chunks),
      countsText(rows),
    ]);
  }
  const summaries = compared.map(({ name, summary }) => `${printable(name)}: ${printable(summary, 200)}`);
  return [
    table.toString(),
    [
      `worker learned: of the clients that left, with the ${levelText(level)} interval, ${methodNames[method]}. after: median from the client\'s`,
      `closing its socket to the cancelled run, with its ${levelText(level)} interval. Counts stand behind ×.`,
      ...summaries,
    ].join('\n'),
  ];
}

function boundsText(interval: { readonly lower: number; readonly upper: number } | null): string {
  return interval === null ? 'too few' : `${ms(interval.lower)} to ${ms(interval.upper)}`;
}

function countsText(counts: readonly { readonly value: number; readonly count: number }[]): string {
  return counts.length === 0 ? '-' : counts.map(({ value, count }) => `${value} ×${count}`).join(', ');
}

function ms(value: number): string {
  return value.toFixed(1);
}
