/** A request at the start line: what its body says, when its client leaves, and what its services are to do. */
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { Arm, RequestPlan } from '#trials/scenario.ts';
import type { ServingWorker } from '../cluster/worker-process.ts';
import { armRequest, type ArmedRequest } from './armed-request.ts';
import { leaveQuestion, type LeaveQuestion } from './leave-signal.ts';
import { aborted } from './trial-aborted.ts';
import type { TrialContext } from './trial-context.ts';
import { pauseProcess } from './worker-pause.ts';
import { errorText } from '../failure/error-text.ts';

/**
 * Opens the connection of a request and holds it back.
 * @throws {TrialAborted} when its worker cannot be reached
 */
export async function armOrAbort(
  context: TrialContext,
  options: {
    plan: RequestPlan;
    arm: Arm;
    thread: ThreadId;
    run: RunToken;
    worker: ServingWorker;
    checkpoint: string | undefined;
    /** Of the client that comes back; undefined: the request starts a run. */
    lastEventId: string | undefined;
    signal: AbortSignal;
  },
): Promise<{
  readonly armed: ArmedRequest;
  readonly question: LeaveQuestion;
  readonly timedOut: () => void;
}> {
  const { plan, arm, thread, run, worker, checkpoint, lastEventId, signal } = options;
  const { businessKey } = context.scenario;
  if (plan.faults !== undefined) await context.prepareServices(arm, run, plan.faults, signal);
  const question = leaveQuestion(plan.leavesAt, run, context.serviceMoment, signal);
  const timeout = new AbortController();
  try {
    const armed = await armRequest({
      address: context.addressOf(arm, worker),
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
        queue: arm.queue === undefined ? undefined : { ...arm.queue },
        lastEventId,
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
      onDisconnect: (afterChunk, atMs) => {
        context.record({ event: 'disconnect', run, afterChunk, atMs });
      },
    });
    const timedOut = () => {
      timeout.abort();
    };
    return { armed, question, timedOut };
  } catch (error) {
    await question.end();
    throw await aborted(context, worker, `request ${plan.name} could not be sent: ${errorText(error)}`);
  }
}
