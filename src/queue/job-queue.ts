/**
 * The durable queue of runs: pg-boss in the series' own schema. Easy to get wrong: a job whose worker takes longer than
 * the job's expiry counts as failed and is given out again, while the first worker goes on and knows nothing of it.
 * *Source*: pg-boss 10.4, src/manager.js (`resolveWithinSeconds`) and its docs, "expiration options".
 */
import PgBoss from 'pg-boss';
import { v5 as uuidV5 } from 'uuid';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { openPool } from '../postgres/open-pool.ts';
import { runRequestSchema, type RunRequest } from '../protocol/run-request.ts';

const queueName = 'runs';

/** A job's id follows from its run, so that whoever knows the run can ask about the job. The value is arbitrary. */
const idSpace = 'b8f3f0a5-0d0e-5e0b-9f63-0f3b0f4a7c11';

/** As often as pg-boss allows. */
const pollingIntervalSeconds = 0.5;

/** No run of a series lasts so long. */
const longExpirySeconds = 600;

/** `sender`: expects the queue to be there. `worker`: makes it and keeps it up. */
export type QueueRole = 'sender' | 'worker';

/** See the file's head. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #close: () => Promise<void>;

  private constructor(boss: PgBoss, close: () => Promise<void>) {
    this.#boss = boss;
    this.#close = close;
  }

  /** Rejects when the database does not answer, or, for a sender, when no worker has made the queue yet. */
  static async open(
    { dsn, schema }: { readonly dsn: string; readonly schema: string },
    role: QueueRole,
  ): Promise<JobQueue> {
    const isWorker = role === 'worker';
    const pool = openPool({ connectionString: dsn, max: isWorker ? 8 : 2, idleTimeoutMillis: 0 });
    const boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      ...{ schema, schedule: false, supervise: isWorker, migrate: isWorker },
    });
    // A statement that fails is told to whoever asked; what fails between two polls is tried again.
    boss.on('error', () => undefined);
    await boss.start();
    if (isWorker) await boss.createQueue(queueName);
    return new JobQueue(boss, async () => {
      await boss.stop({ graceful: false, wait: false });
      await pool.end();
    });
  }

  /** Enqueues a run. It is given out once, or as its own terms say. Rejects when it was enqueued before. */
  async send(request: RunRequest): Promise<void> {
    const { expiresAfterSeconds = longExpirySeconds, redeliveries = 0 } = request.queue ?? {};
    const id = await this.#boss.send(queueName, request, {
      id: idOf(request.run),
      expireInSeconds: expiresAfterSeconds,
      retryLimit: redeliveries,
    });
    if (id === null) throw new Error(`run ${request.run} was enqueued before`);
  }

  /** Works on so many jobs at once. A job whose `perform` rejects has failed. */
  async work(slots: number, perform: (request: RunRequest) => Promise<void>): Promise<void> {
    for (let slot = 0; slot < slots; slot += 1) {
      await this.#boss.work<unknown>(queueName, { batchSize: 1, pollingIntervalSeconds }, async (jobs) => {
        for (const { data } of jobs) await perform(runRequestSchema.parse(data));
      });
    }
  }

  /** Whether the queue will not give the run out again. */
  async isOver(run: RunToken): Promise<boolean> {
    const job = await this.#boss.getJobById(queueName, idOf(run));
    return job === null || !['created', 'retry', 'active'].includes(job.state);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

function idOf(run: RunToken): string {
  return uuidV5(run, idSpace);
}
