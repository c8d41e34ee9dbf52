/**
 * The primary's side of the cluster: n workers start all or none, a worker that dies is reported and replaced, and
 * stopping leaves no process. The primary serves nothing itself.
 */
import { EventEmitter } from 'node:events';
import cluster from 'node:cluster';
import { join } from 'node:path';
import type { OperatorError } from '../failure/operator-error.ts';
import { builtFile } from '../package-root.ts';
import type { WorkerConfig } from '../protocol/worker-config.ts';
import { WorkerProcess, type ServingWorker, type WorkerDeath } from './worker-process.ts';

/** How a cluster is started. */
export interface ClusterOptions {
  readonly workers: number;
  readonly logFolder: string;
  /**
   * Everything but the slot and the shared port. A promise, so that processes can load LangGraph while the database
   * is still starting; none of them does anything before it has this.
   */
  readonly config: Promise<Omit<WorkerConfig, 'kind' | 'slot' | 'sharedPort'>>;
  /** Port shared by all workers; 0 lets the system choose. */
  readonly sharedPort: number;
  /** Every process id is registered before it serves, so that a watchdog can end it if the primary is killed. */
  readonly onFork: (pid: number) => void;
  readonly startDeadlineMs: number;
}

interface ClusterEvents {
  /** A worker died without being asked to; its replacement is already starting. */
  death: [WorkerDeath];
  /** No trial can succeed any more: a replacement did not start, or a worker cannot do its work. */
  broken: [OperatorError];
}

const stopGraceMs = 3_000;

/** See the file's head. */
export class Cluster extends EventEmitter<ClusterEvents> {
  readonly #options: ClusterOptions;
  readonly #processes = new Map<number, WorkerProcess>();
  readonly #serving = new Map<number, Promise<ServingWorker>>();
  #stopping = false;

  private constructor(options: ClusterOptions) {
    super();
    this.#options = options;
  }

  /** Starts all workers or none: if one fails, the others are stopped before the error is thrown. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    cluster.setupPrimary({ exec: builtFile('src/worker/main'), args: [], silent: true });
    const started = new Cluster(options);
    const slots = Array.from({ length: options.workers }, (_, index) => index + 1);
    const outcomes = await Promise.allSettled(slots.map(async (slot) => started.#startWorker(slot)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) {
      await started.stop();
      throw failed.reason;
    }
    return started;
  }

  /** The worker of a slot (1 to n); waits while a replacement is starting. */
  async worker(slot: number): Promise<ServingWorker> {
    const serving = this.#serving.get(slot);
    if (serving === undefined) throw new RangeError(`there is no worker slot ${slot}`);
    return serving;
  }

  get size(): number {
    return this.#options.workers;
  }

  /** Stops every worker; resolves when all processes are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#processes.values()].map(async (worker) => worker.stop(stopGraceMs)));
  }

  #startWorker(slot: number): Promise<ServingWorker> {
    const worker = new WorkerProcess(slot, join(this.#options.logFolder, `worker-${slot}.log`));
    this.#options.onFork(worker.pid);
    this.#processes.set(slot, worker);
    const config = this.#options.config.then((shared): WorkerConfig => ({
      kind: 'configure',
      slot,
      ...shared,
      // For port 0 too: node:cluster hands the same port to every worker that asks for the same number.
      sharedPort: this.#options.sharedPort,
    }));
    const serving = worker.ready(config, this.#options.startDeadlineMs, (error) =>
      this.emit('broken', error),
    );
    this.#serving.set(slot, serving);
    return serving.then((ready) => {
      void worker.died.then((death) => {
        this.#replace(death);
      });
      return ready;
    });
  }

  #replace(death: WorkerDeath): void {
    if (this.#stopping) return;
    this.emit('death', death);
    this.#startWorker(death.slot).catch((error: unknown) => {
      if (!this.#stopping) this.emit('broken', error as OperatorError);
    });
  }
}
