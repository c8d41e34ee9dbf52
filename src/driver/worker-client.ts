/**
 * What the driver asks a worker apart from runs: whether a run is over, and for the account of its effect log.
 * Connections are kept open and plain `http` is used: `fetch` cost as much CPU as the rest of the driver.
 */
import { Agent, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import type { RunRecord } from '#analysis/model/run.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { CheckpointChoice } from '#trials/scenario.ts';
import {
  chosenCheckpointSchema,
  drainAnswerSchema,
  runRecordsSchema,
  threadSampleSchema,
  type DrainAnswer,
  type ThreadSample,
  type Until,
} from '../protocol/run-request.ts';

const agent = new Agent({ keepAlive: true });

/**
 * Waits until the run is over in the asked sense, and each of its deliveries where a queue gave it out several times.
 * Rejects when the worker does not answer (it died).
 */
export async function runRecords(
  address: string,
  run: RunToken,
  until: Until,
  signal: AbortSignal,
): Promise<readonly RunRecord[]> {
  const query = new URLSearchParams({ run, until });
  return runRecordsSchema.parse(await ask('GET', `${address}/runs?${query.toString()}`, signal));
}

/** The id of the checkpoint that a choice means now. Rejects when the thread has none, or the worker does not answer. */
export async function chosenCheckpoint(
  address: string,
  thread: ThreadId,
  choice: CheckpointChoice,
  signal: AbortSignal,
): Promise<string> {
  const query = new URLSearchParams({ thread, ...(choice.at === 'head' ? {} : { before: choice.node }) });
  const answer = await ask('GET', `${address}/checkpoints?${query.toString()}`, signal);
  const { checkpoint } = chosenCheckpointSchema.parse(answer);
  if (checkpoint === null) throw new Error(`thread ${thread} has no checkpoint ${JSON.stringify(choice)}`);
  return checkpoint;
}

/** What a reader of the thread sees now. Rejects when the worker does not answer. */
export async function threadSample(
  address: string,
  thread: ThreadId,
  signal: AbortSignal,
): Promise<ThreadSample> {
  const query = new URLSearchParams({ thread });
  return threadSampleSchema.parse(await ask('GET', `${address}/threads?${query.toString()}`, signal));
}

/** Waits until both instruments of the worker's effect log are complete. */
export async function drainWorker(address: string, signal: AbortSignal): Promise<DrainAnswer> {
  return drainAnswerSchema.parse(await ask('POST', `${address}/drain`, signal));
}

async function ask(method: 'GET' | 'POST', url: string, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const client = httpRequest(url, { method, agent, signal }, (response) => {
      const { statusCode } = response;
      json(response).then((body) => {
        if (statusCode === 200) resolve(body);
        else reject(new Error(`the worker answered ${String(statusCode)} to ${method} ${url}`));
      }, reject);
    });
    client.once('error', reject);
    client.end();
  });
}
