/**
 * One trial, phase by phase as trials/protocol.md says: stages of requests released from one start line, a settle
 * phase that ends when the workers say so, and at the end silence: no run, save or node body of the trial is left.
 * A trial that did not go as planned is aborted with a reason; it proves nothing and is counted apart.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import {
  stagesOf,
  type Arm,
  type Durability,
  type RequestPlan,
  type Scenario,
  type ServiceFaults,
  type Stage,
} from '#trials/scenario.ts';
import type { ServingWorker } from '../cluster/worker-process.ts';
import type { HistoryEvent } from '../rundir/history-event.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import type { StartGate } from './start-gate.ts';
import { armRequest, type ArmedRequest, type ClientView } from './armed-request.ts';
import { askWorker, startPoints } from './start-points.ts';
import { leaveQuestion, type AwaitMoment, type LeaveQuestion } from './leave-signal.ts';
import { pauseProcess } from './worker-pause.ts';
import { runRecord, threadSample } from './worker-client.ts';

/** What all trials of a series share. */
export interface TrialContext {
  readonly scenario: Scenario;
  readonly durability: Durability;
  readonly scale: number;
  /** All requests of a stage go to one worker: the control for "different workers". */
  readonly sameWorker: boolean;
  /** Chooses which workers serve which request. */
  readonly seed: number;
  readonly workers: number;
  /** Lets stages start one at a time on a calm machine. */
  readonly gate: StartGate;
  readonly worker: (slot: number) => Promise<ServingWorker>;
  readonly record: (event: HistoryEvent) => void;
  /** Why the worker of that pid died; null when it lives or its death is not known yet. */
  readonly deathOf: (pid: number) => string | null;
  readonly deadlineMs: number;
  /** Tells the arm's services what is to go wrong with a run. */
  readonly prepareServices: (
    arm: Arm,
    run: RunToken,
    faults: ServiceFaults,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Resolves when a service has come so far with a run. */
  readonly serviceMoment: AwaitMoment;
  /** Records of a thread in the effect log by now. */
  readonly effectsOf: (thread: ThreadId) => number;
  /** What the arm's services saw of a thread, as outcomes. */
  readonly serviceOutcomes: (
    arm: Arm,
    thread: ThreadId,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, OutcomeValue>>;
}

/** Which trial of which arm, on which thread. */
export interface TrialPlan {
  /** From 1, over all arms. */
  readonly trial: number;
  readonly arm: Arm;
  readonly thread: ThreadId;
}

/** How a trial ended. */
export type TrialEnd = { readonly kind: 'completed' } | { readonly kind: 'aborted'; readonly reason: string };

/** A trial cannot go on; the message is the abort reason. */
class TrialAborted extends Error {
  override readonly name = 'TrialAborted';
}

interface StartedRun {
  readonly run: RunToken;
  readonly worker: ServingWorker;
  /** Chunks its client has read. */
  readonly chunks: number;
}

/** How long a failed request waits for the news that its worker died, which is the better reason. */
const deathNewsMs = 400;

/**
 * Runs one trial. The end is not recorded here: a trial counts as over only when its
 * rows are captured. Rejects only for bugs.
 */
export async function runTrial(context: TrialContext, plan: TrialPlan, stop: AbortSignal): Promise<TrialEnd> {
  const { trial, arm, thread } = plan;
  const stages = stagesOf(context.scenario, arm);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(context.deadlineMs)]);
  context.record({ event: 'trial', trial, thread, arm: arm.name, atMs: monotonicMs() });
  const started: StartedRun[] = [];
  let end: TrialEnd;
  try {
    let index = 0;
    for (const stage of stages) {
      const runs = await runStage(context, { ...plan, stage, firstIndex: index, signal });
      started.push(...runs);
      index += stage.requests.length;
      // After the last stage the stricter question below is the only one.
      const isLast = stage === stages.at(-1);
      if (stage.settle === 'run-ended' && !isLast) await recordsOf(context, runs, 'ended', signal);
    }
    await sample(context, plan, started, signal, 'left');
    for (const record of await recordsOf(context, started, 'quiet', signal)) {
      context.record({ event: 'run', record });
    }
    await sample(context, plan, started, signal, 'end');
    for (const [key, value] of await context.serviceOutcomes(arm, thread, signal)) {
      context.record({ event: 'outcome', trial, key, value });
    }
    end = { kind: 'completed' };
  } catch (error) {
    if (stop.aborted) end = { kind: 'aborted', reason: 'the series was stopped' };
    else if (signal.aborted) {
      end = { kind: 'aborted', reason: `the trial was not over after ${context.deadlineMs} ms` };
    } else if (error instanceof TrialAborted) end = { kind: 'aborted', reason: error.message };
    else throw error;
  }
  return end;
}

async function runStage(
  context: TrialContext,
  options: TrialPlan & { stage: Stage; firstIndex: number; signal: AbortSignal },
): Promise<readonly StartedRun[]> {
  const { trial, thread, arm, stage, firstIndex, signal } = options;
  const startPoint = await startPointsOrAbort(context, options);
  const lined = await Promise.all(
    stage.requests.map(async (plan, index) => {
      const slot = slotFor(
        context,
        trial,
        context.sameWorker || stage.isOnOneWorker === true ? firstIndex : firstIndex + index,
      );
      const worker = await context.worker(slot);
      const run = `${thread}/${plan.name}` as RunToken;
      const checkpoint = startPoint(plan.from);
      const armed = await armOrAbort(context, { plan, arm, thread, run, worker, checkpoint, signal });
      return { plan, run, worker, ...armed };
    }),
  );
  const views = await context.gate.enter(signal, async (decided) => {
    let open = lined.length;
    const started = () => {
      open -= 1;
      if (open === 0) decided();
    };
    return Promise.all(
      lined.map(async ({ plan, run, worker, armed, question, timedOut }) => {
        // Zero offsets are released synchronously, in one turn of the event loop.
        if (plan.offsetMs > 0) await delay(plan.offsetMs * context.scale, undefined, { signal });
        context.record({
          event: 'invoke',
          run,
          thread,
          request: plan.name,
          slot: worker.slot,
          atMs: monotonicMs(),
        });
        const timeout =
          plan.timeoutMs === undefined ? null : setTimeout(timedOut, plan.timeoutMs * context.scale);
        const view = await armed.release(started);
        if (timeout !== null) clearTimeout(timeout);
        await question.end();
        context.record({
          event: view.outcome,
          run,
          servedBy: view.servedBy,
          chunks: view.chunks,
          returned: view.returned,
          because: view.because,
          atMs: monotonicMs(),
        });
        return { plan, worker, view };
      }),
    );
  });
  for (const { plan, worker, view } of views) {
    if (!wentAsPlanned(plan, view))
      throw await aborted(
        context,
        worker,
        `request ${plan.name}: ${view.because ?? 'it ended before its client left'}`,
      );
  }
  return lined.map(({ run, worker }, index) => ({ run, worker, chunks: views[index]?.view.chunks ?? 0 }));
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
    throw await aborted(context, first.worker, `the thread could not be looked at: ${messageOf(error)}`);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Any worker can say what checkpoints a thread has. */
async function startPointsOrAbort(
  context: TrialContext,
  {
    trial,
    thread,
    stage,
    firstIndex,
    signal,
  }: TrialPlan & { stage: Stage; firstIndex: number; signal: AbortSignal },
): ReturnType<typeof startPoints> {
  const worker = await context.worker(slotFor(context, trial, firstIndex));
  try {
    return await startPoints(stage, askWorker(worker.address, thread, signal));
  } catch (error) {
    throw await aborted(context, worker, `no checkpoint to start from: ${messageOf(error)}`);
  }
}

async function armOrAbort(
  context: TrialContext,
  options: {
    plan: RequestPlan;
    arm: Arm;
    thread: ThreadId;
    run: RunToken;
    worker: ServingWorker;
    checkpoint: string | undefined;
    signal: AbortSignal;
  },
): Promise<{
  readonly armed: ArmedRequest;
  readonly question: LeaveQuestion;
  readonly timedOut: () => void;
}> {
  const { plan, arm, thread, run, worker, checkpoint, signal } = options;
  const { businessKey } = context.scenario;
  if (plan.faults !== undefined) await context.prepareServices(arm, run, plan.faults, signal);
  const question = leaveQuestion(plan.leavesAt, run, context.serviceMoment, signal);
  const timeout = new AbortController();
  try {
    const armed = await armRequest({
      address: worker.address,
      body: {
        thread,
        run,
        input: plan.input === null ? null : { ...plan.input },
        resume: plan.resume,
        checkpoint,
        durability: arm.durability ?? context.durability,
        handler: arm.handler,
        guard: arm.guard,
        versions: arm.versions,
        smallSaverPool: arm.smallSaverPool,
        nodesObeySignal: arm.nodesObeySignal,
        charging: arm.charging === undefined ? undefined : { ...arm.charging },
        businessKey: businessKey.per === 'trial' ? thread : run,
      },
      disconnectAfterChunk: plan.disconnectAfterChunk,
      leave: question.leave ?? timeout.signal,
      signal,
      onChunk: (chunks) => {
        if (plan.pausesWorker?.afterChunk !== chunks) return;
        const wake = pauseProcess(worker.pid, plan.pausesWorker.forMs * context.scale);
        signal.addEventListener('abort', wake, { once: true });
      },
      onDisconnect: (afterChunk) => {
        context.record({ event: 'disconnect', run, afterChunk, atMs: monotonicMs() });
      },
    });
    const timedOut = () => {
      timeout.abort();
    };
    return { armed, question, timedOut };
  } catch (error) {
    await question.end();
    throw await aborted(context, worker, `request ${plan.name} could not be sent: ${messageOf(error)}`);
  }
}

async function recordsOf(
  context: TrialContext,
  runs: readonly StartedRun[],
  until: 'ended' | 'quiet',
  signal: AbortSignal,
): Promise<readonly RunRecord[]> {
  return Promise.all(
    runs.map(async ({ run, worker }) => {
      try {
        return await runRecord(worker.address, run, until, signal);
      } catch (error) {
        throw await aborted(
          context,
          worker,
          `nobody could say whether run ${run} was over: ${messageOf(error)}`,
        );
      }
    }),
  );
}

async function aborted(context: TrialContext, worker: ServingWorker, reason: string): Promise<TrialAborted> {
  const until = monotonicMs() + deathNewsMs;
  for (;;) {
    const death = context.deathOf(worker.pid);
    if (death !== null) return new TrialAborted(death);
    if (monotonicMs() > until) return new TrialAborted(reason);
    await delay(20);
  }
}

/** Racing requests have neighbouring indices, so with two workers or more they land on different ones. */
function slotFor(context: TrialContext, trial: number, index: number): number {
  return ((context.seed + trial + index) % context.workers) + 1;
}

function wentAsPlanned(plan: RequestPlan, view: ClientView): boolean {
  if (view.isRefused) return true;
  if (plan.leavesAt !== undefined || plan.timeoutMs !== undefined) return view.hasLeft;
  if (plan.mayFail === true && view.runFailed) return true;
  if (plan.disconnectAfterChunk === null) return view.outcome === 'ok';
  return view.hasLeft && view.chunks === plan.disconnectAfterChunk;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
