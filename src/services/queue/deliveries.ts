/**
 * Deliveries: each time the queue gives a run out, its graph runs. The first delivery is the run itself, later ones have
 * tokens of their own (`<run>#2`), so that rows and effects tell whose they are. Clients see one stream for all of them.
 */
import type { RunToken } from '#analysis/model/identifiers.ts';
import { getOrMake } from '#analysis/model/maps.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { RunEvent, RunRequest, Until } from '../../protocol/run-request.ts';
import type { RunEventStore } from '../../queue/run-event-store.ts';
import type { Admission } from '../../worker/guards/guard.ts';
import { graphStream } from '../../worker/handlers/graph-stream.ts';
import { completed, consumeRun } from '../../worker/handlers/serve-events.ts';
import { graphFor, type Workbench } from '../../worker/workbench.ts';

const never = new AbortController().signal;

/** See the file's head. */
export class Deliveries {
  readonly #bench: Workbench;
  readonly #events: RunEventStore;
  readonly #tokens = new Map<RunToken, RunToken[]>();

  constructor(bench: Workbench, events: RunEventStore) {
    this.#bench = bench;
    this.#events = events;
  }

  /** Runs the graph for one delivery. Resolves when the run has completed and its rows are stored; else rejects. */
  async deliver(request: RunRequest): Promise<void> {
    const { run, thread } = request;
    const { runs, guards } = this.#bench;
    const tell = (event: RunEvent): void => {
      this.#events.append(run, event);
    };
    const tokens = getOrMake(this.#tokens, run, () => []);
    const token = (tokens.length === 0 ? run : `${run}#${tokens.length + 1}`) as RunToken;
    tokens.push(token);
    const attempt = { ...request, run: token };
    runs.begin(token, thread, () => {
      tell({ event: 'loaded' });
    });
    const guard = await guards.get(request.guard);
    const entry = (await guard?.enter(attempt, never)) ?? null;
    if (entry?.kind === 'refused') {
      runs.consumerEnded(token, { outcome: 'refused', returned: null, error: entry.because });
      // Who was turned away behind another delivery is no news for the client, which gets what that one does.
      if (token === run) tell({ event: 'refused', run, because: entry.because });
      await this.#events.flushed(run);
      throw new Error(entry.because);
    }
    try {
      await this.#consume(attempt, entry, tell);
      if (guard?.holdsUntil === 'stored') await runs.wait(token, 'ended');
    } finally {
      await entry?.leave();
    }
    const record = await runs.wait(token, 'ended');
    await this.#events.flushed(run);
    if (record?.outcome !== 'completed') throw new Error(record?.error ?? 'the run did not complete');
  }

  /** The records of a run's deliveries, when each is over. */
  async records(run: RunToken, until: Until): Promise<readonly RunRecord[]> {
    const tokens = this.#tokens.get(run) ?? [];
    const records = await Promise.all(tokens.map(async (token) => this.#bench.runs.wait(token, until)));
    return records.filter((record) => record !== null);
  }

  async #consume(
    request: RunRequest,
    entry: Admission | null,
    tell: (event: RunEvent) => void,
  ): Promise<void> {
    const { runs } = this.#bench;
    const graph = graphFor(this.#bench, request);
    const context = { request, fence: entry?.fence ?? null, graph, runs };
    await consumeRun(
      context,
      async (chunks) => {
        for await (const part of await graphStream(context, null, 'state')) chunks.take(part);
        return completed;
      },
      tell,
    );
  }
}
