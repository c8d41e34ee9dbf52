/** `forkscope race --plan`: how many trials a question needs, before any of them is run. */
import Table from 'cli-table3';
import {
  mostTrials,
  trialsForDifference,
  trialsForWidth,
  trialsToExclude,
  trialsToStop,
} from '#analysis/statistics/sample-size.ts';
import { levelText, percent } from '../report/proportion-text.ts';
import { plainBorders, type Palette } from '../report/style.ts';

/** What is asked. */
export interface PlanQuestion {
  /** The share that is expected. */
  readonly rate: number;
  /** How wide its interval may be. */
  readonly width: number;
  /** By how much another arm's share would be larger. */
  readonly difference: number;
  readonly level: number;
  readonly power: number;
}

/** One line of the plan. */
interface Planned {
  readonly question: string;
  /** Trials of each arm; null: more than are planned for. */
  readonly trials: number | null;
  readonly by: string;
}

/** The plan as data, `forkscope-plan/1`. */
export function racePlan(question: PlanQuestion): {
  readonly format: string;
  readonly lines: readonly Planned[];
} {
  const { rate, width, difference, level, power } = question;
  const lines: Planned[] = [
    {
      question: `to say that it happens in less than ${percent(rate)}, if it never does`,
      trials: rate > 0 ? trialsToExclude(rate, level) : null,
      by: `Clopper-Pearson, ${levelText(level)}`,
    },
    {
      question: `to know a share of about ${percent(rate)} within ${percent(width)} from end to end`,
      trials: trialsForWidth(rate, width, level),
      by: `Clopper-Pearson, ${levelText(level)}`,
    },
    {
      question: `the same, when the series may stop as soon as it knows (-n auto)`,
      trials: trialsToStop(rate, width, level),
      by: `confidence sequence, ${levelText(level)}`,
    },
  ];
  const other = rate + difference;
  if (other <= 1) {
    lines.push({
      question: `to tell ${percent(rate)} from ${percent(other)} between two arms`,
      trials: trialsForDifference(rate, other, level, power),
      by: `Fisher's exact test at ${(1 - level).toFixed(4).replace(/0+$/, '')}, power ${percent(power)}`,
    });
  }
  return { format: 'forkscope-plan/1', lines };
}

/** The plan as a table, without a final line feed. */
export function planText(lines: readonly Planned[], palette: Palette): string {
  const table = new Table({
    ...plainBorders(palette),
    head: ['what for', 'trials of each arm', 'by'],
    colAligns: ['left', 'right', 'left'],
  });
  for (const { question, trials, by } of lines) {
    table.push([
      question,
      trials === null ? `over ${mostTrials.toLocaleString('en')}` : trials.toLocaleString('en'),
      by,
    ]);
  }
  return table.toString();
}
