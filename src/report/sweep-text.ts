/**
 * A sweep for people: its curve over the gap, and below it the numbers with their intervals. The curve is drawn for the
 * eye alone; a gap at which no trial completed is a hole that it cannot show, so then there is only the table.
 */
import asciichart from 'asciichart';
import Table from 'cli-table3';
import type { SweepPoint } from '#analysis/sweep/curve.ts';
import type { SeriesSettings, SweptSettings } from '../rundir/series-file.ts';
import { printable } from './printable.ts';
import { intervalText, levelText, methodNames } from './proportion-text.ts';
import { paint, plainBorders, type Palette } from './style.ts';

const chartRows = 10;
const chartColumns = 60;
const labelWidth = 7;

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
  const chart = chartOf(curve);
  return [
    [
      paint(palette, 'strong', title),
      `arm ${printable(swept.arm)}; gaps are real milliseconds, not scaled`,
      ...length,
    ].join('\n'),
    ...(chart === null ? [] : [chart]),
    tableOf(curve, `${levelText(level)} interval, ${methodNames[method]}`, palette),
    'gap: planned, between the releases. measured: median between the first reads of a racer and the next; - where one never\n' +
      'read. Each interval holds for its own gap, not for the whole curve at once.',
  ];
}

function chartOf(curve: readonly SweepPoint[]): string | null {
  const shares = curve.flatMap(({ share }) => (share === null ? [] : [(share.count / share.of) * 100]));
  if (shares.length < curve.length || shares.length < 2) return null;
  const each = Math.max(1, Math.floor(chartColumns / shares.length));
  const plot = asciichart.plot(
    shares.flatMap((share) => Array.from({ length: each }, () => share)),
    {
      // A label is one cell whatever its width, and the axis is the next.
      ...{ min: 0, max: 100, height: chartRows, offset: 2 },
      format: (value) => `${value.toFixed(0)} % `.padStart(labelWidth),
    },
  );
  const [from, to] = [ms(curve[0]?.gapMs ?? 0), ms(curve.at(-1)?.gapMs ?? 0)];
  const axis = `${' '.repeat(labelWidth)}${from}${to.padStart(each * shares.length - from.length)}`;
  return `${plot.replaceAll(/ +$/gm, '')}\n${axis}`;
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
      measuredGapMs === null ? '-' : `${measuredGapMs.median.toFixed(1)} ms`,
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
