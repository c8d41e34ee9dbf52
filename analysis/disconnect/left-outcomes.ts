/**
 * The outcomes of a trial whose client leaves, from what was sampled of its thread. Easy to get wrong: a reader's view
 * alone cannot tell a zombie, and the log alone cannot tell what is committed; the class needs both.
 */
import type { OutcomeValue, TrialOutcomes } from '../model/trial.ts';
import { leaveClass } from './leave-class.ts';

/** What `end.next` says when nothing is left to run. */
export const nothingNext = '-';

/**
 * `disconnect`: the class. `after`: rows, what comes next and effects at the end, and the class, as one text. Empty
 * where the thread was not sampled.
 */
export function leftOutcomes(outcomes: TrialOutcomes): ReadonlyMap<string, OutcomeValue> {
  const next = outcomes.get('end.next');
  if (next === undefined) return new Map();
  const kind = leaveClass({
    isTerminal: next === nothingNext,
    logged: sumOf(outcomes, 'executed.'),
    committed: sumOf(outcomes, 'tree.'),
    told: numberOf(outcomes, 'left.chunks'),
  });
  const seen = ['end.rows', 'end.next', 'end.effects'].map((key) => String(outcomes.get(key)));
  return new Map([
    ['disconnect', kind],
    ['after', `${seen.join(' / ')} ${kind}`],
  ]);
}

function sumOf(outcomes: TrialOutcomes, prefix: string): number {
  let sum = 0;
  for (const key of outcomes.keys()) if (key.startsWith(prefix)) sum += numberOf(outcomes, key);
  return sum;
}

function numberOf(outcomes: TrialOutcomes, key: string): number {
  const value = outcomes.get(key);
  return typeof value === 'number' ? value : 0;
}
