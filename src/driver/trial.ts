/**
 * One trial, phase by phase as trials/protocol.md says: stages of requests released from one start line, a settle
 * phase that ends when the workers say so, and at the end silence: no run, save or node body of the trial is left.
 * A trial that did not go as planned is aborted with a reason; it proves nothing and is counted apart.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunRecord } from '#analysis/model/run.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import { stagesOf } from '#trials/scenario.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { runStage } from './stage.ts';
import { refusals } from './refusals.ts';
import { aborted, TrialAborted } from './trial-aborted.ts';
import { trialDeadline } from './trial-deadline.ts';
import type { StartedRun, TrialContext, TrialPlan } from './trial-context.ts';
import { runRecords, threadSample } from './worker-client.ts';
import { errorText } from '../failure/error-text.ts';

/** How a trial ended. */
export type TrialEnd = { readonly kind: 'completed' } | { readonly kind: 'aborted'; readonly reason: string };

/**
 * Runs one trial. The end is not recorded here: a trial counts as over only when its
 * rows are captured. Rejects only for bugs.
 */
export async function runTrial(context: TrialContext, plan: TrialPlan, stop: AbortSignal): Promise<TrialEnd> {
  const { trial, arm, thread } = plan;
  const stages = stagesOf(context.scenario, arm);
  const deadline = trialDeadline(stop, context.deadlineMs);
  const { signal } = deadline;
  context.record({ event: 'trial', trial, thread, arm: arm.name, atMs: monotonicMs() });
  const started: StartedRun[] = [];
  let end: TrialEnd;
  try {
    let index = 0;
    for (const stage of stages) {
      const runs = await runStage(context, { ...plan, stage, firstIndex: index, earlier: started, signal });
      started.push(...runs);
      index += stage.requests.length;
      // After the last stage the stricter question below is the only one.
      const isLast = stage === stages.at(-1);
      if (stage.settle === 'run-ended' && !isLast) await recordsOf(context, runs, 'ended', signal);
    }
    await sample(context, plan, started, signal, 'left');
    const records = await recordsOf(context, started, 'quiet', signal);
    for (const record of records) context.record({ event: 'run', record });
    if (plan.neighbour !== null) {
      for (const [key, value] of refusals(started, records))
        context.record({ event: 'outcome', trial, key, value });
    }
    await sample(context, plan, started, signal, 'end');
    for (const [key, value] of await context.serviceOutcomes(arm, thread, signal)) {
      context.record({ event: 'outcome', trial, key, value });
    }
    end = { kind: 'completed' };
  } catch (error) {
    if (stop.aborted) end = { kind: 'aborted', reason: 'the series was stopped' };
    else if (deadline.hasPassed) {
      end = { kind: 'aborted', reason: `the trial was not over after ${context.deadlineMs} ms` };
    } else if (error instanceof TrialAborted) end = { kind: 'aborted', reason: error.message };
    else throw error;
  } finally {
    deadline.clear();
  }
  return end;
}

/** Looks at the thread where the scenario asks for it: some time after the clients have left, and when all is quiet. */
async function sample(
  context: TrialContext,
  { trial, thread }: TrialPlan,
  started: readonly StartedRun[],
  signal: AbortSignal,
  when: 'left' | 'end',
): Promise<void> {
  const { sampledAfterMs } = context.scenario;
  const [first] = started;
  if (sampledAfterMs === undefined || first === undefined) return;
  if (when === 'left') await delay(sampledAfterMs * context.scale, undefined, { signal });
  try {
    const { rows, next } = await threadSample(first.worker.address, thread, signal);
    const seen: readonly (readonly [string, OutcomeValue])[] = [
      [`${when}.rows`, rows],
      [`${when}.next`, next.length === 0 ? '-' : next.join(' ')],
      [`${when}.effects`, context.effectsOf(thread)],
      ...(when === 'left' ? [['left.chunks', sum(started.map(({ chunks }) => chunks))] as const] : []),
    ];
    for (const [key, value] of seen) context.record({ event: 'outcome', trial, key, value });
  } catch (error) {
    throw await aborted(context, first.worker, `the thread could not be looked at: ${errorText(error)}`);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function recordsOf(
  context: TrialContext,
  runs: readonly StartedRun[],
  until: 'ended' | 'quiet',
  signal: AbortSignal,
): Promise<readonly RunRecord[]> {
  const records = await Promise.all(
    runs.map(async ({ run, worker }) => {
      try {
        return await runRecords(worker.address, run, until, signal);
      } catch (error) {
        throw await aborted(
          context,
          worker,
          `nobody could say whether run ${run} was over: ${errorText(error)}`,
        );
      }
    }),
  );
  return records.flat();
}
