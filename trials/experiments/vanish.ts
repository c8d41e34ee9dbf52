/**
 * What is left of a run that was accepted when its worker ends? A service that answers 202 and works in the background,
 * as most do, is ended at a moment drawn uniformly after the answer. Easy to get wrong: what is lost is decided between the
 * answer and the first stored row, so what matters is when the service answers and not how it is ended.
 */
import type { Durability } from '../scenario.ts';

/** See the file's head. */
export const vanishClaim =
  'every accepted run is accounted for once, and none is lost where a row was read back before the answer, or where the worker waits for it before it ends';

/**
 * When the service answers 202. `at-once`: as soon as the run is in the ledger. `intake`: when a first node, which does
 * nothing but take the input, has run. `read-back`: when a checkpoint of the thread has been read back after that.
 */
export const answerPolicies = ['at-once', 'intake', 'read-back'] as const;
/** One of {@link answerPolicies}. */
export type AnswerPolicy = (typeof answerPolicies)[number];

/**
 * What happens. `none`: nothing, the control, on which windows are measured. `kill`: SIGKILL. `sigterm`: SIGTERM to a
 * service that closes its server and exits when the open requests are answered. `drain`: SIGTERM to one that also waits
 * until every accepted run has a row. `memory`: a request exhausts the worker's heap. `cut`: the connection that carries a
 * run's first checkpoint is reset. `no-table`: the saver's tables do not exist.
 */
export const vanishFaults = ['none', 'kill', 'sigterm', 'drain', 'memory', 'cut', 'no-table'] as const;
/** One of {@link vanishFaults}. */
export type VanishFault = (typeof vanishFaults)[number];

/** Faults that end the worker. */
export const deadlyFaults: ReadonlySet<VanishFault> = new Set(['kill', 'sigterm', 'drain', 'memory']);

/** One line each, for people. */
export const faultSummaries: Readonly<Record<VanishFault, string>> = {
  none: 'nothing happens: the control, on which the windows are measured',
  kill: 'SIGKILL, as the kernel or an orchestrator out of patience sends it',
  sigterm: 'SIGTERM; the service closes its server, answers what is open and exits',
  drain: 'SIGTERM; the service also waits until every accepted run has a row',
  memory: 'a request that exhausts the heap of the worker',
  cut: "the connection that carries a run's first checkpoint is reset",
  'no-table': "the saver's tables do not exist",
};

/** One row of the tables. */
export interface VanishCell {
  readonly durability: Durability;
  readonly answer: AnswerPolicy;
  readonly fault: VanishFault;
}

/**
 * Every cell of these durabilities and faults, controls first within each pair of durability and answer. A control is
 * always there, for the times of the others are taken from it.
 */
export function vanishCells(
  durabilities: readonly Durability[],
  faults: ReadonlySet<string>,
): readonly VanishCell[] {
  const chosen = vanishFaults.filter((fault) => fault === 'none' || faults.has(fault));
  return durabilities.flatMap((durability) =>
    answerPolicies.flatMap((answer) => chosen.map((fault) => ({ durability, answer, fault }))),
  );
}

/** `async, at-once, kill`. */
export function cellName({ durability, answer, fault }: VanishCell): string {
  return `${durability}, ${answer}, ${fault}`;
}

/** Cells in which no accepted run may be lost: what the remedies promise. */
export function promisesNoLoss({ answer, fault }: VanishCell): boolean {
  return fault === 'none' || fault === 'drain' || (answer === 'read-back' && deadlyFaults.has(fault));
}
