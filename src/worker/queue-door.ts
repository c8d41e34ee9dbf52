/** What an HTTP worker has of the queue: it puts runs in, follows their events, and asks the queue's worker about them. */
import type { RunToken } from '#analysis/model/identifiers.ts';
import type { RunRequest } from '../protocol/run-request.ts';
import { JobQueue } from '../queue/job-queue.ts';
import { RunEventFeed } from '../queue/run-event-feed.ts';

/** See the file's head. */
export class QueueDoor {
  readonly feed: RunEventFeed;
  readonly #place: { readonly dsn: string; readonly schema: string };
  readonly #workerAddress: string;
  readonly #enqueued = new Set<RunToken>();
  #queue: Promise<JobQueue> | null = null;

  constructor(place: { readonly dsn: string; readonly schema: string }, workerAddress: string) {
    this.feed = new RunEventFeed(place);
    this.#place = place;
    this.#workerAddress = workerAddress;
  }

  /** Rejects when the database does not answer. */
  async enqueue(request: RunRequest): Promise<void> {
    this.#queue ??= JobQueue.open(this.#place, 'sender');
    await (await this.#queue).send(request);
    this.#enqueued.add(request.run);
  }

  /** Whether the run was enqueued here. */
  has(run: RunToken): boolean {
    return this.#enqueued.has(run);
  }

  /** What the queue's worker answers about a run, when it is over. Rejects when it does not answer. */
  async ask(query: URLSearchParams): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(`${this.#workerAddress}/runs?${query.toString()}`);
    return { status: answer.status, body: await answer.json() };
  }
}
