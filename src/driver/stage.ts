/** One stage of a trial: its requests stand at one start line, are released, and have to go as planned. */
import { setTimeout as delay } from 'node:timers/promises';
import { invariant } from '#analysis/model/bug.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { RequestPlan, Stage } from '#trials/scenario.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import type { ClientView } from './armed-request.ts';
import { rejoined, rejoinOutcomes } from './rejoin.ts';
import { armOrAbort } from './arm-or-abort.ts';
import { askWorker, startPoints } from './start-points.ts';
import { aborted } from './trial-aborted.ts';
import { slotFor, type StartedRun, type TrialContext, type TrialPlan } from './trial-context.ts';
import { errorText } from '../failure/error-text.ts';

/**
 * Runs one stage; `firstIndex` counts the requests of the stages before it. Resolves when every client has its end.
 * @throws {TrialAborted} when a request could not be sent or did not go as planned
 */
export async function runStage(
  context: TrialContext,
  options: TrialPlan & {
    stage: Stage;
    firstIndex: number;
    /** What the stages before it have started. */
    earlier: readonly StartedRun[];
    signal: AbortSignal;
  },
): Promise<readonly StartedRun[]> {
  const { trial, arm, stage, firstIndex, signal } = options;
  const startPoint = await startPointsOrAbort(context, options);
  const lined = await Promise.all(
    stage.requests.map(async (plan, index) => {
      const slot = slotFor(
        context,
        trial,
        context.sameWorker || stage.isOnOneWorker === true ? firstIndex : firstIndex + index,
      );
      const worker = await context.worker(slot);
      const thread = threadOf(options, plan);
      const joined = plan.rejoins === undefined ? null : rejoined(options.earlier, plan.rejoins);
      const run = joined?.run ?? (`${thread}/${plan.name}` as RunToken);
      const checkpoint = startPoint(plan.from);
      const lastEventId = joined?.lastEventId ?? undefined;
      const armed = await armOrAbort(context, {
        ...{ plan, arm, thread, run, worker, checkpoint, lastEventId, signal },
      });
      return { plan, thread, run, worker, joined, ...armed };
    }),
  );
  const views = await context.gate.enter(signal, async (decided) => {
    let open = lined.length;
    const started = () => {
      open -= 1;
      if (open === 0) decided();
    };
    return Promise.all(
      lined.map(async ({ plan, thread, run, worker, joined, armed, question, timedOut }) => {
        // Zero offsets are released synchronously, in one turn of the event loop.
        if (plan.offsetMs > 0) await delay(plan.offsetMs * context.scale, undefined, { signal });
        const { slot } = worker;
        if (joined === null)
          context.record({ event: 'invoke', run, thread, request: plan.name, slot, atMs: monotonicMs() });
        const timeout =
          plan.timeoutMs === undefined ? null : setTimeout(timedOut, plan.timeoutMs * context.scale);
        const view = await armed.release(started);
        if (timeout !== null) clearTimeout(timeout);
        await question.end();
        const { outcome, servedBy, chunks, returned, because } = view;
        if (joined === null)
          context.record({ event: outcome, run, servedBy, chunks, returned, because, atMs: monotonicMs() });
        else
          for (const [key, value] of rejoinOutcomes(joined, view))
            context.record({ event: 'outcome', trial, key, value });
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
  return lined.flatMap(({ plan: { name }, thread, run, worker, joined }, index) => {
    const view = views[index]?.view;
    const seen = { chunks: view?.chunks ?? 0, lastEventId: view?.lastEventId ?? null };
    return joined === null ? [{ name, thread, run, worker, ...seen }] : [];
  });
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
    throw await aborted(context, worker, `no checkpoint to start from: ${errorText(error)}`);
  }
}

function threadOf({ thread, neighbour }: TrialPlan, { isOnNeighbour }: RequestPlan): ThreadId {
  if (isOnNeighbour !== true) return thread;
  invariant(neighbour !== null, 'a trial with a request to a neighbour has one');
  return neighbour;
}

function wentAsPlanned(plan: RequestPlan, view: ClientView): boolean {
  if (view.isRefused) return true;
  if (plan.leavesAt !== undefined || plan.timeoutMs !== undefined) return view.hasLeft;
  if (plan.mayFail === true && view.runFailed) return true;
  if (plan.disconnectAfterChunk === null) return view.outcome === 'ok';
  return view.hasLeft && view.chunks === plan.disconnectAfterChunk;
}
