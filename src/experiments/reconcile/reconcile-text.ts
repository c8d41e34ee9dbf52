/** The sweeps for people: what each got wrong with its interval, and which kinds of threads it was told of how. */
import Table from 'cli-table3';
import type { Answer } from '#analysis/reconcile/truth.ts';
import { printable } from '#src/report/printable.ts';
import { cellText, levelText, methodNames } from '#src/report/proportion-text.ts';
import { counted } from '#src/report/quantity-text.ts';
import { paint, plainBorders, type Palette } from '#src/report/style.ts';
import { populationKinds } from '#trials/experiments/reconcile.ts';
import type { ReconcileResult } from './reconcile-result.ts';

/** The whole text, without a final line feed. */
export function reconcileText(result: ReconcileResult, palette: Palette): string {
  return [
    heading(result, palette),
    scores(result, palette),
    answersByKind(result, palette),
    ...notes(result),
    verdictLine(result, palette),
    nextSteps(result),
  ].join('\n\n');
}

function heading({ settings, threads, misbuilt }: ReconcileResult, palette: Palette): string {
  const { versions } = settings;
  return [
    `${paint(palette, 'strong', 'reconcile')}: ${settings.claim}?`,
    `${counted(threads, 'thread')} of ${populationKinds.length} kinds, ${settings.each} each; ${misbuilt.size} not as they were to be`,
    `durability ${settings.durability} · ${settings.keepers + settings.victims} workers, ${settings.victims} of them killed with what they held · ` +
      `leases of ${settings.leaseMs} ms with heartbeat`,
    `Node ${versions.node} · langgraph ${versions.langgraph} · postgres saver ${versions.saver} · ` +
      `Postgres ${printable(versions.postgres)} (${settings.database})`,
  ].join('\n');
}

function scores({ sweeps, settings }: ReconcileResult, palette: Palette): string {
  const { method, level } = settings.interval;
  const table = new Table({
    ...plainBorders(palette),
    head: ['sweep', 'false alarms', 'found', 'missed', 'abandoned left open', 'all left open'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { sweep, score } of sweeps) {
    table.push([
      sweep.name,
      cellText(score.falseAlarms, '-'),
      cellText(score.found, '-'),
      cellText(score.missed, '-'),
      cellText(score.abandonedLeftOpen, '-'),
      cellText(score.leftOpen, '-'),
    ]);
  }
  return [
    table.toString(),
    `k/n and ${levelText(level)} interval, ${methodNames[method]}. False alarm: a live or paused thread called abandoned. ` +
      'Found, missed, left open: abandoned threads called so, called something else, called neither.',
  ].join('\n');
}

/** Kinds as rows, sweeps as columns: what most threads of the kind were called, and all answers where they differ. */
function answersByKind({ sweeps }: ReconcileResult, palette: Palette): string {
  const table = new Table({
    ...plainBorders(palette),
    head: ['kind', 'truth', ...sweeps.map(({ sweep }) => sweep.name.replaceAll('+', '\n+'))],
  });
  for (const { name, truth } of populationKinds) {
    const told = sweeps.map(({ score }) => score.kinds.find(({ kind }) => kind === name)?.told);
    table.push([name, truth, ...told.map((counts) => (counts === undefined ? '-' : answersText(counts)))]);
  }
  return table.toString();
}

function answersText(counts: ReadonlyMap<Answer, number>): string {
  const all = [...counts];
  return all.map(([answer, count]) => (all.length === 1 ? answer : `${count} ${answer}`)).join('\n');
}

function notes({ sweeps, misbuilt, lapsedLeases }: ReconcileResult): readonly string[] {
  const lines = sweeps.map(({ sweep }) => `${sweep.name}: ${sweep.summary}`);
  const cancelled = sweeps.filter(({ score }) => (score.endedCalledAbandoned?.count ?? 0) > 0);
  const more = [
    ...(cancelled.length === 0
      ? []
      : [
          `Threads that ended by an error or a cancel were called abandoned by ${cancelled.map(({ sweep }) => sweep.name).join(', ')}: ` +
            'nobody works on them either, but whoever resumes them undoes a decision.',
        ]),
    ...(lapsedLeases.length === 0
      ? []
      : [
          `${counted(lapsedLeases.length, 'lease')} of live runs had ended at the moment of the sweep: their worker did not get a processor in time.`,
        ]),
    ...[...misbuilt].map(
      ([thread, reason]) => `not counted: ${printable(thread)}: ${printable(reason, 300)}`,
    ),
  ];
  return [lines.join('\n'), ...(more.length === 0 ? [] : [more.join('\n')])];
}

function verdictLine({ verdict, sweeps }: ReconcileResult, palette: Palette): string {
  const tone = { valid: 'valid', invalid: 'error', unknown: 'warning' } as const;
  const names = sweeps.filter(({ sweep }) => sweep.isSound).map(({ sweep }) => sweep.name);
  const says = {
    valid: `no false alarm and no miss by ${names.join(', ')}; the upper bounds above say what that proves`,
    invalid: `a false alarm or a miss by one of ${names.join(', ')}`,
    unknown:
      'a kind without threads, or leases of live runs that had ended, so the claim was not put to the test',
  } as const;
  return `Verdict: ${paint(palette, tone[verdict], verdict)} · ${says[verdict]}`;
}

function nextSteps({ settings, sweeps }: ReconcileResult): string {
  return [
    `Stored in ${printable(settings.folder, 400)}; the same sweeps again:`,
    ...sweeps.flatMap(({ command }) => (command === null ? [] : [`  ${command}`])),
  ].join('\n');
}
