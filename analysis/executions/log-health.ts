/**
 * What the sequence numbers of a whole series say about its log: which records were certainly written and are not
 * there. Each worker numbers from 1, so a lost first line shows as much as one in the middle; a lost last line shows
 * only against the final number the worker gave. A worker that died before giving it proves nothing by a short tail.
 */
import type { Effect, LogHealth, LostRecords, WorkerLogAccount } from '#analysis/model/effect.ts';

/**
 * Judges a log. `effects` are all records of all threads and workers; records without worker or sequence say nothing.
 * Shape: workers in the order of their names, missing numbers ascending. Cost: linear.
 */
export function logHealth(effects: Iterable<Effect>, accounts: readonly WorkerLogAccount[]): LogHealth {
  const seen = new Map<string, Set<number>>();
  for (const { worker, sequence } of effects) {
    if (worker === null || sequence === null) continue;
    const numbers = seen.get(worker);
    if (numbers === undefined) seen.set(worker, new Set([sequence]));
    else numbers.add(sequence);
  }
  const finals = new Map(accounts.map((account) => [account.worker, account.finalSequence]));
  const lost: LostRecords[] = [];
  const indeterminate: string[] = [];
  for (const worker of [...new Set([...seen.keys(), ...finals.keys()])].sort()) {
    const numbers = seen.get(worker) ?? new Set();
    const final = finals.get(worker) ?? null;
    if (final === null) indeterminate.push(worker);
    const missing = missingUpTo(final ?? greatest(numbers), numbers);
    if (missing.length > 0) lost.push({ worker, missing });
  }
  return { lost, indeterminate };
}

function greatest(numbers: ReadonlySet<number>): number {
  let most = 0;
  for (const number of numbers) if (number > most) most = number;
  return most;
}

function missingUpTo(last: number, numbers: ReadonlySet<number>): number[] {
  const missing: number[] = [];
  for (let number = 1; number <= last; number++) if (!numbers.has(number)) missing.push(number);
  return missing;
}

/** Records of the second instrument that the first does not hold: certainly lost from the first. */
export function lostFromLog(log: readonly Effect[], table: readonly Effect[]): Effect[] {
  const held = new Set(log.map(effectIdentity));
  return table.filter((effect) => !held.has(effectIdentity(effect)));
}

/** What makes two records of different instruments the same one: worker and sequence where both are known. */
export function effectIdentity(effect: Effect): string {
  if (effect.worker !== null && effect.sequence !== null) {
    return JSON.stringify([effect.worker, effect.sequence]);
  }
  const { thread, namespace, node, run, parent, task, attempt, wallMs } = effect;
  return JSON.stringify([thread, namespace, node, run, parent, task, attempt, wallMs]);
}
