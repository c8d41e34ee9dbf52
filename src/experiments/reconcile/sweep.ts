/**
 * One sweep over the captured files: the same source and the same analysis as `forkscope audit`, told what this sweep
 * knows and nothing else. Easy to get wrong: an age is counted to the moment of the sweep and not to when the analysis
 * happens to run.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import { defaultLimits } from '#analysis/model/ledger.ts';
import { newestTrace } from '#analysis/executions/activity.ts';
import { answerOf, type Answer } from '#analysis/reconcile/truth.ts';
import { analyserFor } from '#src/audit/prepared-analyser.ts';
import { shellWord } from '#src/report/shell-word.ts';
import { parseLedgerMap } from '#src/source/ledger-map.ts';
import type { LedgersRequest } from '#src/source/open-ledgers.ts';
import { openSource } from '#src/source/open-source.ts';
import { breakpointNode, type Sweep } from '#trials/experiments/reconcile.ts';
import type { SweepFiles } from './sweep-files.ts';

/** What the sweeps are counted to. */
export interface SweepMoment {
  readonly asOfMs: number;
  readonly minAgeMs: number;
  /** A run without a heartbeat for so long is stalled, milliseconds. */
  readonly stallAfterMs: number;
}

/** Thread → answer. A thread of which the sweep saw nothing is absent. *Cost*: reads and analyses all rows. */
export async function runSweep(
  sweep: Sweep,
  files: SweepFiles,
  moment: SweepMoment,
): Promise<ReadonlyMap<string, Answer>> {
  const { source } = await openSource({
    place: files.rows,
    filter: { threads: null, schema: null },
    effects: null,
    ledgers: requestOf(sweep, files, moment),
  });
  const told = new Map<string, Answer>();
  try {
    const analyse = await analyserFor(source.options);
    for await (const evidence of source.threads()) {
      const report = await analyse(evidence);
      const answer =
        sweep.judge === 'audit'
          ? answerOf(report)
          : dueAndOld(report.next.length > 0, newestTrace(evidence), moment);
      told.set(evidence.rows.thread, answer);
    }
  } finally {
    source.close?.();
  }
  return told;
}

/** What a query over the newest row of each thread says. */
function dueAndOld(isDue: boolean, newestMs: number | null, { asOfMs, minAgeMs }: SweepMoment): Answer {
  if (!isDue) return 'terminal';
  return newestMs !== null && asOfMs - newestMs >= minAgeMs ? 'abandoned' : 'unknown';
}

function requestOf(sweep: Sweep, files: SweepFiles, moment: SweepMoment): LedgersRequest {
  return {
    ledger: sweep.ledger
      ? { kind: 'file', file: files.ledger, map: parseLedgerMap([]), words: new Map() }
      : null,
    active: sweep.leases ? files.leases : null,
    asOfMs: moment.asOfMs,
    questions: {
      limits: { ...defaultLimits, stallAfterMs: moment.stallAfterMs },
      breakpoints: sweep.breakpoints ? [breakpointNode as NodeName] : null,
      minAgeMs: sweep.minAge && sweep.judge === 'audit' ? moment.minAgeMs : null,
    },
  };
}

/** The command that says the same of the same files; null where no command does, or none can be typed. */
export function commandOf(sweep: Sweep, files: SweepFiles, moment: SweepMoment): string | null {
  if (sweep.judge !== 'audit') return null;
  const [rows, leases, ledger] = [files.rows, files.leases, files.ledger].map(shellWord);
  if (rows == null || leases == null || ledger == null) return null;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)}s`;
  const options = [
    ...(sweep.leases ? [`--active ${leases}`] : []),
    ...(sweep.ledger ? [`--ledger ${ledger} --stall-after ${seconds(moment.stallAfterMs)}`] : []),
    ...(sweep.breakpoints ? [`--breakpoints ${breakpointNode}`] : []),
    ...(sweep.minAge ? [`--min-age ${seconds(moment.minAgeMs)}`] : []),
    ...(sweep.leases || sweep.ledger || sweep.minAge
      ? [`--as-of ${new Date(moment.asOfMs).toISOString()}`]
      : []),
  ];
  return ['forkscope audit', rows, ...options].join(' ');
}
