/**
 * A service: a process that a series runs beside its workers because an arm needs it, such as a payment provider or
 * the worker of a queue. It is part of the environment; what it counts is told as outcomes of the trial.
 */
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import type { ProviderMoment } from '#trials/provider.ts';
import type { ServiceFaults } from '#trials/scenario.ts';
import type { OperatorError } from '../failure/operator-error.ts';
import type { DrainAnswer } from '../protocol/run-request.ts';
import type { Releasers } from '../runner/releasers.ts';

/** A running service. What it holds is left to the releasers. */
export interface RunningService {
  /** What workers are told to reach it by, such as `http://127.0.0.1:4711`. */
  readonly address: string;
  /** Resolves with the reason when its process has ended unasked: without it no trial that needs it can be judged. */
  readonly died: Promise<OperatorError>;
  /** The name under which it writes the effect log; absent: it does not. */
  readonly worker?: string;
  /** Its account of the effect log, when the trials are over; absent where it does not write there. */
  readonly drain?: (signal: AbortSignal) => Promise<DrainAnswer>;
  /** What it saw of a thread, when the trial on it is quiet. */
  readonly outcomesOf: (thread: ThreadId, signal: AbortSignal) => Promise<ReadonlyMap<string, OutcomeValue>>;
  /** Told before a request is released what is to go wrong at the service with its run; absent: nothing can. */
  readonly prepare?: (run: RunToken, faults: ServiceFaults, signal: AbortSignal) => Promise<void>;
  /** Resolves when the service has come so far with a run; absent: it tells of no moments. */
  readonly until?: (run: RunToken, moment: ProviderMoment, signal: AbortSignal) => Promise<void>;
  /** Stores what it recorded in the run directory, when the trials are over. */
  readonly store: () => Promise<void>;
}

/** What a service is started with. */
export interface ServiceContext {
  readonly dsn: string;
  readonly schema: string;
  readonly scenario: string;
  /** The file that holds the scenario; null: it is built in. */
  readonly scenarioFile: string | null;
  /** Addresses of the services that were started before, by name. */
  readonly services: Readonly<Record<string, string>>;
  /** Multiplies delays. */
  readonly scale: number;
  /** The series' effect log; appended to by whoever performs effects. */
  readonly effectsFile: string;
  /** The run directory, for what the service records. */
  readonly folder: string;
  /** Every process id, before it serves: the watchdog ends it if this process is killed. */
  readonly guard: (pid: number) => void;
  readonly releasers: Releasers;
}

/** Starts a service all or nothing. *Fails* with an OperatorError that says why it did not start. */
export type StartService = (context: ServiceContext) => Promise<RunningService>;
