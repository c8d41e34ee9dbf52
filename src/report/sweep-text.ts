/**
 * A sweep for people: its curve over the gap as a band of intervals, and below it the numbers. Gaps go down the page, one
 * line each, so a gap at which no trial completed is an empty line and not a straight one between its neighbours.
 */
import Table from 'cli-table3';
import type { SweepPoint } from '#analysis/sweep/curve.ts';
import type { SeriesSettings, SweptSettings } from '../rundir/series-file.ts';
import { intervalBars } from './interval-bars.ts';
import { printable } from './printable.ts';
import { intervalText, levelText, methodNames } from './proportion-text.ts';
import { paint, plainBorders, type Palette } from './style.ts';

/** Title, curve, table and how to read them. */
export function sweepText(
  curve: readonly SweepPoint[],
  swept: SweptSettings,
  { interval: { level, method } }: SeriesSettings,
  palette: Palette,
): readonly string[] {
  const asked = `${printable(swept.outcome)}${swept.value === null ? ' > 0' : ` = ${printable(swept.value)}`}`;
  const title = `share of trials with ${asked} over the gap between ${swept.racers.map((name) => printable(name)).join(', ')}`;
  const length =
    swept.run === null
      ? []
      : [
          `A run alone takes ${ms(swept.run.medianMs)} (median of ${swept.run.of}, ${printable(swept.run.folder, 400)}).`,
        ];
  return [
    [
      paint(palette, 'strong', title),
      `arm ${printable(swept.arm)}; gaps are real milliseconds, not scaled`,
      ...length,
    ].join('\n'),
    intervalBars(curve.map(({ gapMs, share }) => ({ label: ms(gapMs), share }))),
    tableOf(curve, `${levelText(level)} interval, ${methodNames[method]}`, palette),
    'gap: planned, between the releases. measured: median between the first reads of a racer and the next; - where one never\n' +
      'read. Each interval holds for its own gap, not for the whole curve at once.',
  ];
}

function tableOf(curve: readonly SweepPoint[], intervalHead: string, palette: Palette): string {
  const hasAborted = curve.some(({ aborted }) => aborted > 0);
  const table = new Table({
    ...plainBorders(palette),
    head: [
      'gap',
      'measured',
      'k/n',
      intervalHead,
      'overlapped',
      'classes',
      ...(hasAborted ? ['aborted'] : []),
    ],
    colAligns: ['right', 'right', 'right', 'right', 'right', 'left', 'right'],
  });
  for (const { gapMs, measuredGapMs, share, overlapped, classes, aborted } of curve) {
    table.push([
      ms(gapMs),
      measuredGapMs === null ? '-' : `${(Math.round(measuredGapMs.median * 10) / 10 + 0).toFixed(1)} ms`,
      share === null ? '-' : `${share.count}/${share.of}`,
      share === null ? '-' : intervalText(share.interval),
      overlapped === null ? '-' : `${overlapped.count}/${overlapped.of}`,
      classes.map(({ value, count }) => `${printable(String(value))} ${count}`).join(', '),
      ...(hasAborted ? [String(aborted)] : []),
    ]);
  }
  return table.toString();
}

function ms(value: number): string {
  return `${Number(value.toFixed(1))} ms`;
}
