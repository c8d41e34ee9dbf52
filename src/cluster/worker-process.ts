/**
 * One worker process as its primary sees it: forked, configured, ready when its own address answers, and dead with a
 * reason. Readiness is polled over HTTP and not believed from a message, since only the answer proves it serves.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../failure/operator-error.ts';
import { workerMessageSchema, type WorkerConfig } from '../protocol/worker-config.ts';
import { OutputTail } from './output-tail.ts';

/** A worker that serves. */
export interface ServingWorker {
  readonly slot: number;
  readonly pid: number;
  /** `http://127.0.0.1:<port>` of this worker alone. */
  readonly address: string;
}

/** How a worker ended. */
export interface WorkerDeath {
  readonly slot: number;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly tail: readonly string[];
  readonly logFile: string;
}

/** One line that names the worker, how it ended and what it said last. */
export function describeDeath(death: WorkerDeath): string {
  const how = death.signal === null ? `exit status ${String(death.code)}` : `signal ${death.signal}`;
  const said =
    death.tail.length === 0 ? 'it printed nothing' : `its last lines: ${death.tail.slice(-6).join(' | ')}`;
  return `worker ${death.slot} (pid ${death.pid}) died with ${how}; ${said}; log ${death.logFile}`;
}

/** A forked worker. `died` resolves once, however it ends. */
export class WorkerProcess {
  readonly slot: number;
  readonly pid: number;
  readonly died: Promise<WorkerDeath>;
  readonly #worker: Worker;
  readonly #tail: OutputTail;
  #dead = false;

  constructor(slot: number, logFile: string) {
    this.slot = slot;
    this.#worker = cluster.fork();
    this.pid = this.#worker.process.pid ?? -1;
    this.#tail = new OutputTail(logFile, [this.#worker.process.stdout, this.#worker.process.stderr]);
    this.died = new Promise((resolve) => {
      // `close` and not `exit`: only then have both streams given their last lines.
      this.#worker.process.once('close', (code: number | null, signal: string | null) => {
        this.#dead = true;
        this.#tail.close();
        resolve({ slot, pid: this.pid, code, signal, tail: this.#tail.lines, logFile });
      });
    });
    // Sending to a worker that has just died is an error event of the channel; `died` reports the death itself.
    this.#worker.on('error', () => undefined);
  }

  /**
   * Configures the worker as soon as the configuration is there, and resolves when it answers on its own address.
   * Rejects on death, at the deadline (counted from the configuration), and with the configuration's own failure.
   */
  async ready(
    config: Promise<WorkerConfig>,
    deadlineMs: number,
    onBroken: (error: OperatorError) => void,
  ): Promise<ServingWorker> {
    const listening = new Promise<{ ownPort: number; sharedPort: number }>((resolve, reject) => {
      this.#worker.on('message', (raw: unknown) => {
        const message = workerMessageSchema.safeParse(raw);
        if (!message.success) return;
        if (message.data.kind === 'waiting') {
          config.then((ready) => {
            this.#worker.send(ready);
          }, reject);
        } else if (message.data.kind === 'listening') resolve(message.data);
        else {
          const error = new OperatorError({
            happened: message.data.what,
            place: `worker ${this.slot} (pid ${this.pid})`,
            remedy: message.data.remedy,
          });
          reject(error);
          onBroken(error);
        }
      });
    });
    listening.catch(() => undefined);
    const died = this.died.then((death): never => {
      throw new OperatorError({
        happened: describeDeath(death),
        place: `worker ${this.slot}, while starting`,
        remedy: 'Read its log; the first line usually names the cause.',
      });
    });
    // Losing the race below must not count as an unhandled rejection later, when the worker is stopped on purpose.
    died.catch(() => undefined);
    const expired = new AbortController();
    await Promise.race([config, died]);
    try {
      const ports = await Promise.race([listening, died, deadline(this.slot, deadlineMs, expired.signal)]);
      const address = `http://127.0.0.1:${ports.ownPort}`;
      await Promise.race([healthy(address), died, deadline(this.slot, deadlineMs, expired.signal)]);
      return { slot: this.slot, pid: this.pid, address };
    } finally {
      expired.abort();
    }
  }

  /** SIGTERM, then SIGKILL after `graceMs`. Resolves when the process is gone. */
  async stop(graceMs: number): Promise<void> {
    if (this.#dead) return;
    this.#worker.process.kill('SIGTERM');
    const expired = new AbortController();
    const late = delay(graceMs, undefined, { signal: expired.signal }).then(
      () => this.#worker.process.kill('SIGKILL'),
      () => false,
    );
    await this.died;
    expired.abort();
    await late;
  }
}

async function healthy(address: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/health`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    await delay(20);
  }
}

async function deadline(slot: number, deadlineMs: number, signal: AbortSignal): Promise<never> {
  try {
    await delay(deadlineMs, undefined, { signal });
  } catch {
    // The race was decided; this promise is nobody's any more and must stay silent.
    return new Promise<never>(() => undefined);
  }
  throw new OperatorError({
    happened: `worker ${slot} did not answer within ${deadlineMs} ms`,
    place: 'cluster start',
    remedy: 'Start fewer workers (--workers), or look at the load of this machine.',
  });
}
