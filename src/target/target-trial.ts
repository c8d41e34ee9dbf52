/**
 * One trial against a service: the scenario's stages, each from one start line, and between and behind them silence.
 * What happened inside the service is not known; a trial that did not go as planned is aborted with a reason.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { stagesOf, type RequestPlan, type Scenario, type Stage } from '#trials/scenario.ts';
import type { StartGate } from '../driver/start-gate.ts';
import { trialDeadline } from '../driver/trial-deadline.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { errorText } from '../failure/error-text.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import type { HistoryEvent } from '../rundir/history-event.ts';
import { filledBody, filledUrl } from './request-template.ts';
import { silence } from './silence.ts';
import type { TargetOptions } from './target-options.ts';
import { armTarget, type TargetView } from './target-request.ts';

/** What all trials of a series share. */
export interface TargetContext {
  readonly options: TargetOptions;
  readonly scenario: Scenario;
  readonly gate: StartGate;
  readonly record: (event: HistoryEvent) => void;
  /** Changes whenever the thread has a new row or record. */
  readonly signsOf: (thread: string) => Promise<string>;
}

/** A request went otherwise than the scenario says; the message is the abort reason. */
class NotAsPlanned extends Error {}

/** Runs one trial and records it, up to but without its end. Resolves with the abort reason; null: it completed. */
export async function runTargetTrial(
  context: TargetContext,
  trial: number,
  thread: string,
  stop: AbortSignal,
): Promise<string | null> {
  const { options, scenario, record } = context;
  const [arm] = scenario.arms;
  const deadline = trialDeadline(stop, options.deadlineMs);
  record({ event: 'trial', trial, thread, arm: 'target', atMs: monotonicMs() });
  try {
    let index = trial + options.seed;
    let refused = 0;
    const stages = stagesOf(scenario, arm);
    for (const stage of stages) {
      const views = await runStage(context, { stage, trial, thread, index, signal: deadline.signal });
      index += stage.requests.length;
      refused += views.filter(({ isRefused }) => isRefused).length;
      if (stage.settle === 'run-ended' || stage === stages.at(-1))
        await silence(() => context.signsOf(thread), options.quietMs, deadline.signal);
    }
    record({ event: 'outcome', trial, key: 'refused', value: refused });
    return null;
  } catch (error) {
    if (stop.aborted) return 'the series was stopped';
    if (deadline.hasPassed) return `the trial was not over after ${options.deadlineMs / 1000} s`;
    if (error instanceof OperatorError || !(error instanceof NotAsPlanned)) throw error;
    return error.message;
  } finally {
    deadline.clear();
  }
}

async function runStage(
  { options, scenario, gate, record }: TargetContext,
  place: {
    readonly stage: Stage;
    readonly trial: number;
    readonly thread: string;
    readonly index: number;
    readonly signal: AbortSignal;
  },
): Promise<readonly TargetView[]> {
  const { stage, thread, index, signal } = place;
  const lined = await Promise.all(
    stage.requests.map(async (plan, turn) => {
      const slot = (stage.isOnOneWorker === true ? index : index + turn) % options.urls.length;
      const filling = { thread, run: `${thread}/${plan.name}`, input: plan.input };
      try {
        const armed = await armTarget({
          url: filledUrl(options.urls[slot] ?? '', filling),
          headers: options.headers,
          body: filledBody(options.body, filling),
          leaveAfter: plan.disconnectAfterChunk,
          signal,
        });
        return { plan, slot, run: filling.run, armed };
      } catch (error) {
        throw new NotAsPlanned(`request ${plan.name} could not be sent: ${errorText(error)}`);
      }
    }),
  );
  return gate.enter(signal, async (decided) => {
    const done = Promise.all(
      lined.map(async ({ plan, slot, run, armed }) => {
        if (plan.offsetMs > 0) await delay(plan.offsetMs * options.scale, undefined, { signal });
        record({ event: 'invoke', run, thread, request: plan.name, slot: slot + 1, atMs: monotonicMs() });
        const view = await armed.release();
        const { outcome, chunks, because, hasLeft } = view;
        if (hasLeft) record({ event: 'disconnect', run, afterChunk: chunks, atMs: monotonicMs() });
        record({ event: outcome, run, servedBy: null, chunks, returned: null, because, atMs: monotonicMs() });
        if (!wentAsPlanned(plan, view))
          throw new NotAsPlanned(
            `request ${plan.name} of ${scenario.name}: ${because ?? `it ended after ${chunks} chunks, before its client left`}`,
          );
        return view;
      }),
    );
    // When a run has read its checkpoint is unknown here; the next stage may start when the requests are out.
    decided();
    return done;
  });
}

function wentAsPlanned(plan: RequestPlan, view: TargetView): boolean {
  if (view.isRefused || plan.mayFail === true) return true;
  return plan.disconnectAfterChunk === null ? view.outcome === 'ok' : view.hasLeft;
}
