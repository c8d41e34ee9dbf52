/** The experiment for people: the windows, what each fault left, what a reaper makes of it, and what a deploy loses. */
import Table from 'cli-table3';
import type { Fate } from '#analysis/vanish/fate.ts';
import { printable } from '#src/report/printable.ts';
import { cellText, levelText, methodNames } from '#src/report/proportion-text.ts';
import { grouped } from '#src/report/quantity-text.ts';
import { paint, plainBorders, type Palette } from '#src/report/style.ts';
import { deadlyFaults, faultSummaries, vanishFaults } from '#trials/experiments/vanish.ts';
import type { CountedCell } from './count-cell.ts';
import { lossesOf, type VanishResult } from './vanish-result.ts';

/** The whole text, without a final line feed. */
export function vanishText(result: VanishResult, palette: Palette): string {
  return [
    heading(result, palette),
    windows(result, palette),
    left(result, palette),
    reaped(result, palette),
    laws(result, palette),
    next(result),
  ].join('\n\n');
}

function heading({ settings, cells }: VanishResult, palette: Palette): string {
  const { versions } = settings;
  const kills = cells.reduce((sum, cell) => sum + cell.kills, 0);
  const accepted = cells.reduce((sum, cell) => sum + cell.accepted, 0);
  return [
    `${paint(palette, 'strong', 'vanish')}: ${settings.claim}?`,
    `${grouped(cells.length)} cells, ${grouped(kills)} workers ended, ${grouped(accepted)} accepted runs · scale ${settings.scale} · seed ${settings.seed}`,
    `Node ${versions.node} · langgraph ${versions.langgraph} · postgres saver ${versions.saver} · ` +
      `Postgres ${printable(versions.postgres)} (${settings.database})`,
  ].join('\n');
}

function windows({ cells, settings }: VanishResult, palette: Palette): string {
  const table = new Table({
    ...plainBorders(palette),
    head: ['durability', 'answered', 'runs', 'row before answer', 'mean ms', 'median ms', 'p95 ms', 'max ms'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { cell, window } of cells) {
    if (window === null) continue;
    const { median } = window;
    table.push([
      cell.durability,
      cell.answer,
      window.runs,
      window.without,
      window.mean.toFixed(1),
      median === null
        ? '-'
        : `${median.median.toFixed(1)}\n${median.lower.toFixed(1)} to ${median.upper.toFixed(1)}`,
      window.p95.toFixed(1),
      window.max.toFixed(1),
    ]);
  }
  return [
    'The window in which an accepted run can vanish: from the answer to its first row, where nothing happens',
    table.toString(),
    `Median with its ${levelText(settings.interval.level)} interval by order statistics. A window grows with the load of this machine.`,
  ].join('\n');
}

function left({ cells, settings }: VanishResult, palette: Palette): string {
  const { startsPerHour, interval } = settings;
  const table = new Table({
    ...plainBorders(palette),
    head: [
      ...[
        'durability',
        'answered',
        'fault',
        'accepted',
        'vanished',
        'resumable',
        'completed',
        'unrecorded',
        'failed',
      ],
      ...['charged,\nno row', 'not\naccepted'],
      ...(startsPerHour === null ? [] : ['lost a deploy']),
    ],
    colAligns: ['left', 'left', 'left', ...Array.from({ length: 9 }, () => 'right' as const)],
  });
  for (const counted of cells) {
    if (counted.cell.fault === 'none') continue;
    const of = (fate: Fate) => counted.fates.get(fate) ?? 0;
    table.push([
      ...[counted.cell.durability, counted.cell.answer, counted.cell.fault, counted.accepted],
      cellText(counted.vanished, '-'),
      ...[of('resumable'), of('completed'), of('unrecorded'), of('failed'), counted.chargedWithoutRow],
      counted.posted - counted.accepted,
      ...(startsPerHour === null ? [] : [lossesText(counted, startsPerHour)]),
    ]);
  }
  return [
    'What is left of accepted runs when the fault has come',
    table.toString(),
    `Vanished: k/n and ${levelText(interval.level)} interval, ${methodNames[interval.method]}; ages at the fault are even from 0 to a little more than a run takes. ` +
      'Charged, no row: the effect log shows a charge and the tables nothing.',
    ...(startsPerHour === null
      ? ['--starts-per-hour tells how many runs a deploy loses.']
      : [`Lost a deploy: at ${grouped(startsPerHour)} starts an hour, when every worker is ended once so.`]),
    vanishFaults
      .filter((fault) => cells.some(({ cell }) => cell.fault === fault))
      .map((fault) => `${fault}: ${faultSummaries[fault]}`)
      .join('\n'),
  ].join('\n');
}

function reaped({ cells, settings }: VanishResult, palette: Palette): string {
  const table = new Table({
    ...plainBorders(palette),
    head: [
      'durability',
      'answered',
      'fault',
      'accepted',
      'succeeded',
      'quarantined',
      'charged again',
      'reapers ended',
    ],
    colAligns: ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { cell, accepted, after } of cells) {
    if (after === null || !deadlyFaults.has(cell.fault)) continue;
    table.push([
      ...[cell.durability, cell.answer, cell.fault, accepted, after.succeeded, after.quarantined],
      cellText(after.chargedAgain, '-'),
      after.endedReapers,
    ]);
  }
  return [
    `The same runs when a reaper has taken up what was left: started anew without a row, resumed with one, given up after ${settings.attemptCap} attempts`,
    table.toString(),
    'A charge is made again when the worker ended after it and before its superstep was stored; an idempotency key is what prevents that.',
  ].join('\n');
}

function lossesText(cell: CountedCell, startsPerHour: number): string {
  const losses = lossesOf(cell, startsPerHour);
  if (losses === null) return '-';
  const text = (runs: number) => Number(runs.toPrecision(2)).toString();
  return `${text(losses.mean)}\n${text(losses.lower)} to ${text(losses.upper)}`;
}

function laws({ laws: all, verdict }: VanishResult, palette: Palette): string {
  const tone = { valid: 'valid', invalid: 'error', unknown: 'warning' } as const;
  const says = {
    valid: 'every law below held in every cell',
    invalid: 'a law below was broken',
    unknown: 'a cell has no accepted run, so nothing was put to the test there',
  } as const;
  return [
    `Verdict: ${paint(palette, tone[verdict], verdict)} · ${says[verdict]}`,
    ...all.map(
      ({ law, brokenBy }) => `  ${law}${brokenBy.length === 0 ? '' : `: broken by ${brokenBy.join('; ')}`}`,
    ),
  ].join('\n');
}

function next({ settings, command, cells }: VanishResult): string {
  const beside = cells.reduce((sum, { vanishedUnaccepted }) => sum + vanishedUnaccepted, 0);
  return [
    `Stored in ${printable(settings.folder, 400)}.`,
    ...(command === null ? [] : ['The rows and the ledger as the faults left them:', `  ${command}`]),
    ...(command === null || beside === 0
      ? []
      : [
          `It calls ${grouped(beside)} more vanished than the table does: in the ledger, and the client had no 202.`,
        ]),
  ].join('\n');
}
