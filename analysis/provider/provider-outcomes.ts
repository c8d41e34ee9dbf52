/** The outcome keys of a trial that charged at a provider: what its account holds, and what each run knows of it. */
import type { ProviderCall } from '#analysis/model/provider.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { OutcomeValue, TrialOutcomes } from '#analysis/model/trial.ts';
import { abortMomentOf } from './abort-moment.ts';
import { missingCharges, repeatedCharges, unknownCharges } from './account-gaps.ts';
import { chargesByNode, chargingCalls } from './charges.ts';
import { statusOfRun } from './effect-status.ts';

/**
 * `account`: in one line what the run that came first knows, and how often the provider charged in the end;
 * `provider.<node>`: charges that the account holds; `effect.<request>`: what the run knows, see `effectStatuses`;
 * `abort.<request>`: how far its charge had come when it was aborted; then how many business keys were charged for
 * repeatedly and how many charges are known to one side only. Empty when nothing of the thread called a provider.
 */
export function providerOutcomes(
  thread: ThreadId,
  account: readonly ProviderCall[],
  runs: readonly RunRecord[],
): TrialOutcomes {
  const outcomes = new Map<string, OutcomeValue>();
  const records = runs.flatMap(({ calls = [] }) => calls);
  if (account.length === 0 && records.length === 0) return outcomes;
  outcomes.set('account', `${firstKnows(runs, account)}, ${chargingCalls(account).length} charged`);
  const charges = chargesByNode(account);
  for (const { node } of [...account, ...records]) {
    if (node !== null) outcomes.set(`provider.${node}`, charges.get(node) ?? 0);
  }
  for (const run of runs) {
    const request = requestOf(run, thread);
    outcomes.set(`effect.${request}`, statusOfRun(run, account));
    const moment = abortMomentOf(run, account);
    if (moment !== null) outcomes.set(`abort.${request}`, moment);
  }
  outcomes.set('repeatedCharges', repeatedCharges(account).length);
  outcomes.set('unknownCharges', unknownCharges(account, runs).unknown.length);
  outcomes.set('missingCharges', missingCharges(account, runs).length);
  return outcomes;
}

function firstKnows(runs: readonly RunRecord[], account: readonly ProviderCall[]): string {
  const [first] = [...runs].sort((a, b) => (a.firstReadMs ?? Infinity) - (b.firstReadMs ?? Infinity));
  const status = first === undefined ? 'no run' : statusOfRun(first, account);
  return status.startsWith('unknown') ? 'unknown' : status;
}

/** Run tokens of a series are `<thread>/<request>`. */
function requestOf({ run }: RunRecord, thread: ThreadId): string {
  return run.startsWith(`${thread}/`) ? run.slice(thread.length + 1) : run;
}
