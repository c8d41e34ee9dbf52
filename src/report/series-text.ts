/**
 * A series for people: what was run, what came out with intervals, what it proves, and what to type next. One row
 * holds everything a number needs: value, k of n, proportion, interval, and how many trials were aborted.
 */
import Table from 'cli-table3';
import type { ArmSummary, OutcomeDistribution } from '#analysis/model/trial.ts';
import type { ArmAnalysis, SeriesAnalysis } from '../runner/series-analysis.ts';
import type { SeriesFile } from '../rundir/series-file.ts';
import { armGrid } from './arm-grid.ts';
import { matrixNote, matrixTexts } from './arm-matrix.ts';
import { learnedText } from './learned-text.ts';
import { stoppingShare } from '../runner/stopping.ts';
import { findingsTable } from './findings-table.ts';
import { printable } from './printable.ts';
import { intervalText, levelText, methodNames, percent } from './proportion-text.ts';
import { rulesText } from './rules-text.ts';
import { sweepText } from './sweep-text.ts';
import { paint, plainBorders, type Palette } from './style.ts';

/** The whole text, without a final line feed. */
export function seriesText(
  series: SeriesFile,
  analysis: SeriesAnalysis,
  folder: string,
  palette: Palette,
): string {
  return [
    heading(series, analysis, palette),
    rules(series),
    ...armsText(series, analysis, palette),
    ...lossLines(analysis),
    verdictLine(analysis, palette),
    nextSteps(series, folder),
  ].join('\n\n');
}

function armsText(
  series: SeriesFile,
  { arms, summary, completed }: SeriesAnalysis,
  palette: Palette,
): string[] {
  const outcomes = arms.map((arm) => arm.outcomes);
  const grid = armGrid(series, outcomes, palette);
  const matrices = matrixTexts(series.matrices ?? [], palette);
  const { swept, sweep } = series;
  const curve = swept === undefined || sweep === undefined ? [] : sweepText(sweep, swept, series, palette);
  const learned =
    series.learned === undefined || outcomes.length < 2 ? [] : learnedText(series.learned, series, palette);
  if (grid === null && matrices.length === 0 && curve.length === 0 && learned.length === 0)
    return arms.flatMap((arm) => armText(series, arm, arms.length > 1, palette));
  const aborted = outcomes.flatMap(({ arm, abortReasons }) =>
    abortReasons.map(
      ({ reason, count }) => `aborted ${count} of arm ${printable(arm)}: ${printable(reason, 600)}`,
    ),
  );
  return [
    ...(grid === null ? [] : [grid]),
    ...learned,
    ...curve,
    ...matrices,
    ...(matrices.length === 0 ? [] : [matrixNote]),
    ...(aborted.length === 0 ? [] : [aborted.join('\n')]),
    findingsTable(summary.findings, completed, palette),
  ];
}

function armText(
  series: SeriesFile,
  { outcomes, findings }: ArmAnalysis,
  isOneOfSeveral: boolean,
  palette: Palette,
): readonly string[] {
  const title = isOneOfSeveral ? [armHeading(series, outcomes, palette)] : [];
  return [
    ...title,
    outcomeTable(series, outcomes, palette),
    ...statements(series, outcomes),
    findingsTable(findings.findings, outcomes.completed, palette),
    ...findings.undecided.map(
      ({ question, reason, threads }) =>
        `unknown in ${threads} of ${outcomes.completed} threads: ${question}: ${reason}`,
    ),
  ];
}

function armHeading(
  { compared }: SeriesFile,
  { arm, trials, completed, aborted }: ArmSummary,
  palette: Palette,
): string {
  const settings = compared.find(({ name }) => name === arm);
  const how =
    settings === undefined ? '' : `: ${printable(settings.summary, 200)} (durability ${settings.durability})`;
  return `${paint(palette, 'strong', `arm ${printable(arm)}`)}${how}, ${trials} trials: ${completed} completed, ${aborted} aborted`;
}

function heading(series: SeriesFile, { arms }: SeriesAnalysis, palette: Palette): string {
  const { versions } = series;
  const sum = (of: (arm: ArmSummary) => number): number =>
    arms.reduce((total, { outcomes }) => total + of(outcomes), 0);
  const trials = sum((arm) => arm.trials);
  const rate =
    series.racedMs === null || series.racedMs === 0
      ? ''
      : ` · ${(series.racedMs / 1000).toFixed(1)} s, ${((trials * 1000) / series.racedMs).toFixed(1)} trials/s`;
  const served = series.sameWorker
    ? 'all requests of a stage to one worker'
    : 'racing requests to different workers';
  const lines = [
    `${paint(palette, 'strong', printable(series.scenario))}: ${printable(series.claim, 400)}?`,
    `${trials} trials${arms.length > 1 ? ` of ${arms.length} ${series.swept === undefined ? 'arms' : 'gaps'}` : ''}: ` +
      `${sum(({ completed }) => completed)} completed, ${sum(({ aborted }) => aborted)} aborted${rate}`,
    ...(series.target === undefined
      ? [
          `durability ${series.durability ?? 'unknown'} · ${series.workers} workers, ${served} · ${series.parallel} trials at once · ` +
            `delays x ${series.scale} · seed ${series.seed}`,
          `Node ${versions.node} · langgraph ${versions.langgraph} · postgres saver ${versions.saver} · ` +
            `Postgres ${printable(versions.postgres)} (${series.database})`,
        ]
      : targetLines(series.target, series)),
  ];
  for (const { outcomes } of arms) lines.push(...stoppingLine(series, outcomes));
  for (const { outcomes } of arms) {
    // A matrix tells it arm by arm, and a curve gap by gap.
    if (outcomes.overlapped === null || series.matrices !== undefined || series.sweep !== undefined) continue;
    const of = arms.length > 1 ? ` of arm ${printable(outcomes.arm)}` : '';
    lines.push(
      `racing runs${of} overlapped in ${outcomes.overlapped.count} of ${outcomes.overlapped.of} trials`,
    );
  }
  return lines.join('\n');
}

/** Why an arm without a fixed length ended. */
function stoppingLine({ stopping, interval }: SeriesFile, arm: ArmSummary): readonly string[] {
  if (stopping === undefined) return [];
  const share = stoppingShare(arm, stopping, interval.level);
  if (share === null) return [];
  const what = `${printable(stopping.outcome)}${stopping.value === null ? ' > 0' : ` = ${printable(stopping.value)}`}`;
  const wide = `${percent(share.width)} wide`;
  return [
    `${printable(arm.arm)}: ${what} in ${share.count} of ${share.of}, interval ${wide}: ${
      share.isEnough
        ? `ended because that is at most ${percent(stopping.width)}`
        : `not narrow enough (${percent(stopping.width)}) within the most trials allowed`
    } (confidence sequence, so the series may choose its end)`,
  ];
}

/** What was raced, and what of it cannot be known from outside. */
function targetLines(
  { urls, schema, quietMs }: NonNullable<SeriesFile['target']>,
  { parallel, versions }: SeriesFile,
): readonly string[] {
  return [
    `service ${urls.map((url) => printable(url, 200)).join(', ')} · ${parallel} trials at once · ` +
      `Postgres ${printable(versions.postgres)}, schema ${printable(schema)}`,
    `A run counts as over when rows and effect log had stood still for ${quietMs / 1000} s; whether runs overlapped, what they`,
    'returned, which effects came after a cancellation and which records the log lost is unknown.',
  ];
}

function rules(series: SeriesFile): string {
  if (series.target !== undefined) return "Count rules: none, since the service's graph is unknown.";
  const lines = rulesText(series.rules);
  if (lines.length === 0) return 'Count rules from the graph: none can be derived.';
  return `Count rules from the graph, for runs that begin with new input: ${lines.join(', ')}`;
}

function outcomeTable(series: SeriesFile, arm: ArmSummary, palette: Palette): string {
  const { method, level } = series.interval;
  const table = new Table({
    ...plainBorders(palette),
    head: [
      'outcome',
      'value',
      'k/n',
      'share',
      `${levelText(level)} interval, ${methodNames[method]}`,
      'aborted',
    ],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { key, values } of arm.outcomes) {
    for (const [index, { value, count, of, interval }] of values.entries()) {
      table.push([
        index === 0 ? printable(key) : '',
        printable(String(value)),
        `${count}/${of}`,
        percent(count / of),
        intervalText(interval),
        String(arm.aborted),
      ]);
    }
  }
  return table.toString();
}

/** What the numbers prove and what they do not, in sentences. */
function statements(series: SeriesFile, arm: ArmSummary): readonly string[] {
  const lines: string[] = [];
  const forks = valueOf(arm, 'undeclaredForks');
  const none = forks?.values.find(({ value }) => value === 0);
  if (arm.completed === 0) lines.push('No trial completed, so this series says nothing about the scenario.');
  if (none !== undefined && none.count === none.of) {
    const upper = 1 - none.interval.lower;
    lines.push(
      `No trial of ${none.of} forked. That proves no absence: with ${levelText(series.interval.level)} confidence ` +
        `such trials fork in less than ${percent(upper)} of cases.`,
    );
  }
  if (arm.overlapped !== null && arm.overlapped.count < arm.overlapped.of / 2) {
    lines.push(
      `The racing runs truly overlapped in only ${arm.overlapped.count} of ${arm.overlapped.of} trials, so few forks ` +
        'say little. Longer nodes overlap more: raise --scale.',
    );
  }
  for (const { reason, count } of arm.abortReasons) lines.push(`aborted ${count}: ${printable(reason, 600)}`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function lossLines({ health }: SeriesAnalysis): readonly string[] {
  const lines = [
    ...health.lost.map(
      ({ worker, missing }) =>
        `the effect log lost ${missing.length} ${missing.length === 1 ? 'record' : 'records'} of worker ${printable(worker)}: number ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ' …' : ''}`,
    ),
    ...health.indeterminate.map(
      (worker) =>
        `worker ${printable(worker)} died before it could say how many records it wrote: its last may be missing`,
    ),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function verdictLine({ completed, summary }: SeriesAnalysis, palette: Palette): string {
  if (completed === 0) return `Verdict: ${paint(palette, 'warning', 'unknown')}, no trial completed`;
  const tone = { valid: 'valid', invalid: 'error', unknown: 'warning' } as const;
  const { threads, forks, undeclaredForks } = summary.totals;
  return (
    `Verdict: ${paint(palette, tone[summary.verdict], summary.verdict)} · ${threads} threads, ` +
    `${forks} forks, ${undeclaredForks} of them undeclared`
  );
}

function nextSteps(series: SeriesFile, folder: string): string {
  const place = printable(folder, 400);
  return [
    `Stored in ${place}`,
    `  forkscope audit ${place}          analyse it again, thread by thread`,
    ...controlLine(series),
  ].join('\n');
}

/** What to compare with; a series of which some arm races and some does not brings its own control. */
function controlLine({ racing, compared }: SeriesFile): readonly string[] {
  const racers = compared.map((arm) => arm.racing ?? racing);
  if (racers.every(({ length }) => length > 1))
    return ['  forkscope race serial                 the control: the same requests one after another'];
  if (racing.length === 0 && compared.length < 2)
    return ['  forkscope race double-post            the race that this is the control of'];
  return [];
}

function valueOf(arm: ArmSummary, key: string): OutcomeDistribution | undefined {
  return arm.outcomes.find((outcome) => outcome.key === key);
}
