/** In how many trials of an arm was an outcome what one asks for: above zero, or a value. */
import type { ArmSummary, OutcomeValue } from '../model/trial.ts';

/** What is asked of a trial. */
export interface OutcomeQuestion {
  readonly outcome: string;
  /** Null: the outcome is a number above zero. */
  readonly value: string | null;
}

/** The completed trials that answer yes. A trial without the outcome answers no. */
export function trialsWith(arm: ArmSummary, question: OutcomeQuestion): number {
  const values = arm.outcomes.find(({ key }) => key === question.outcome)?.values ?? [];
  return values.reduce((sum, { value, count }) => sum + (isHit(value, question) ? count : 0), 0);
}

function isHit(value: OutcomeValue, { value: wanted }: OutcomeQuestion): boolean {
  return wanted === null ? typeof value === 'number' && value > 0 : String(value) === wanted;
}
