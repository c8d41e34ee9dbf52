/** What a trial is given, and what its phases hand on. */
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import type { Arm, Durability, Scenario, ServiceFaults } from '#trials/scenario.ts';
import type { ServingWorker } from '../cluster/worker-process.ts';
import type { HistoryEvent } from '../rundir/history-event.ts';
import type { AwaitMoment } from './leave-signal.ts';
import type { StartGate } from './start-gate.ts';

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
  /** Where the arm's clients reach a worker. */
  readonly addressOf: (arm: Arm, worker: ServingWorker) => string;
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
  /** A second thread, for requests that go to it; null where none does. */
  readonly neighbour: ThreadId | null;
}

/** A request that was released, and the worker that ran it. */
export interface StartedRun {
  /** Its request. */
  readonly name: string;
  readonly thread: ThreadId;
  readonly run: RunToken;
  readonly worker: ServingWorker;
  /** Chunks its client has read. */
  readonly chunks: number;
  /** Of the last event that its client has; null where events bear no ids. */
  readonly lastEventId: string | null;
}

/** Racing requests have neighbouring indices, so with two workers or more they land on different ones. */
export function slotFor(context: TrialContext, trial: number, index: number): number {
  return ((context.seed + trial + index) % context.workers) + 1;
}
