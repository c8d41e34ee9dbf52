/**
 * What the history of a series says: how each trial ended, what was seen of it beside rows and log, which runs there
 * were, and what the workers say of their logs.
 */
import type { Leave } from '#analysis/disconnect/when-learned.ts';
import type { WorkerLogAccount } from '#analysis/model/effect.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import { historyEventSchema, type HistoryEvent } from '../rundir/history-event.ts';
import { readLines } from './run-lines.ts';

/** How a trial of the series ended, by its thread. */
export interface StoredTrial {
  readonly trial: number;
  readonly thread: ThreadId;
  readonly arm: string;
  /** Null when it completed; `unfinished` when the history ends before the trial does. */
  readonly abortReason: string | null;
  /** What the trial was seen to do beside its rows and its log. */
  readonly outcomes: ReadonlyMap<string, OutcomeValue>;
  /** Milliseconds by what they measure; `latency.<request>` is from its release to its end at the client. */
  readonly measures: ReadonlyMap<string, number>;
  /** Clients that closed their sockets. */
  readonly leaves: readonly Leave[];
}

/** A history, read. */
export interface RunHistory {
  readonly trials: ReadonlyMap<ThreadId, StoredTrial>;
  readonly runs: ReadonlyMap<ThreadId, readonly RunRecord[]>;
  readonly accounts: readonly WorkerLogAccount[];
}

interface GrowingTrial extends StoredTrial {
  abortReason: string | null;
  readonly outcomes: Map<string, OutcomeValue>;
  readonly measures: Map<string, number>;
  readonly leaves: Leave[];
}

/** Reads a history. *Fails* with an OperatorError that names file and line. */
export async function readHistory(path: string): Promise<RunHistory> {
  const history = new GrowingHistory();
  for await (const event of readLines(path, historyEventSchema)) history.add(event);
  return history;
}

class GrowingHistory implements RunHistory {
  readonly trials = new Map<ThreadId, StoredTrial>();
  readonly runs = new Map<ThreadId, RunRecord[]>();
  readonly accounts: WorkerLogAccount[] = [];
  readonly #byNumber = new Map<number, GrowingTrial>();
  readonly #released = new Map<
    string,
    { readonly thread: string; readonly request: string; readonly atMs: number }
  >();

  add(event: HistoryEvent): void {
    switch (event.event) {
      case 'trial': {
        const trial: GrowingTrial = {
          trial: event.trial,
          thread: event.thread as ThreadId,
          arm: event.arm,
          abortReason: 'the history ends before the trial does',
          outcomes: new Map(),
          measures: new Map(),
          leaves: [],
        };
        this.#byNumber.set(event.trial, trial);
        this.trials.set(trial.thread, trial);
        return;
      }
      case 'completed':
      case 'aborted': {
        const trial = this.#byNumber.get(event.trial);
        if (trial !== undefined) trial.abortReason = event.event === 'completed' ? null : event.reason;
        return;
      }
      case 'outcome':
        this.#byNumber.get(event.trial)?.outcomes.set(event.key, event.value);
        return;
      case 'measure':
        this.#byNumber.get(event.trial)?.measures.set(event.key, event.ms);
        return;
      case 'invoke':
        this.#released.set(event.run, event);
        return;
      case 'ok':
      case 'fail':
      case 'info': {
        const released = this.#released.get(event.run);
        if (released === undefined || event.event !== 'ok') return;
        const measures = this.#trialOf(event.run)?.measures;
        measures?.set(`latency.${released.request}`, event.atMs - released.atMs);
        return;
      }
      case 'run': {
        const { thread } = event.record;
        const runs = this.runs.get(thread);
        if (runs === undefined) this.runs.set(thread, [event.record]);
        else runs.push(event.record);
        return;
      }
      case 'account':
        this.accounts.push({ worker: event.worker, finalSequence: event.finalSequence });
        return;
      case 'disconnect': {
        const { run, afterChunk, atMs } = event;
        this.#trialOf(run)?.leaves.push({ run: run as RunToken, afterChunk, atMs });
        return;
      }
      case 'death':
        return;
    }
  }

  /** Undefined for a run that was not released. */
  #trialOf(run: string): GrowingTrial | undefined {
    return this.trials.get(this.#released.get(run)?.thread as ThreadId) as GrowingTrial | undefined;
  }
}
