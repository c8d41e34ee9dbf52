/** What the driver asks a worker apart from runs: whether a run is over, and for the account of its effect log. */
import type { RunRecord } from '#analysis/model/run.ts';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { drainAnswerSchema, runRecordSchema, type DrainAnswer, type Until } from '../protocol/run-request.ts';

/** Waits until the run is over in the asked sense. Rejects when the worker does not answer (it died). */
export async function runRecord(
  address: string,
  run: RunToken,
  until: Until,
  signal: AbortSignal,
): Promise<RunRecord> {
  const query = new URLSearchParams({ run, until });
  const answer = await fetch(`${address}/runs?${query.toString()}`, { signal });
  if (!answer.ok) throw new Error(`the worker answered ${answer.status} when asked about run ${run}`);
  return runRecordSchema.parse(await answer.json());
}

/** Waits until both instruments of the worker's effect log are complete. */
export async function drainWorker(address: string, signal: AbortSignal): Promise<DrainAnswer> {
  const answer = await fetch(`${address}/drain`, { method: 'POST', signal });
  if (!answer.ok) throw new Error(`the worker answered ${answer.status} when asked to drain its log`);
  return drainAnswerSchema.parse(await answer.json());
}
