/** A process that makes threads, as its primary sees it: configured, asked for runs, and at the end killed. */
import { deferred, type Deferred } from '../deferred.ts';
import { ExperimentProcess } from '../experiment-process.ts';
import { populationMessageSchema, type PopulationCommand, type RunEnd } from './population-protocol.ts';

/** How a run ended. */
export interface OverRun {
  readonly end: RunEnd;
  readonly because: string | null;
}

interface Progress {
  readonly held: Deferred<undefined>;
  readonly over: Deferred<OverRun>;
}

/** See the file's head. */
export class PopulationProcess {
  readonly #process: ExperimentProcess;
  readonly #runs = new Map<string, Progress>();
  readonly #waiting = deferred<undefined>();
  readonly #ready = deferred<undefined>();

  /** Forks the process; it does nothing before it is configured. `onFork` is told its pid at once. */
  constructor(name: string, logFolder: string, onFork: (pid: number) => void) {
    this.#process = new ExperimentProcess({
      name,
      module: 'src/experiments/reconcile/population-worker',
      logFolder,
      onFork,
      onMessage: (raw) => {
        this.#hear(raw);
      },
      onFailure: (failure) => {
        const runs = [...this.#runs.values()].flatMap(({ held, over }) => [held, over]);
        for (const { reject } of [this.#waiting, this.#ready, ...runs]) reject(failure);
      },
    });
  }

  /** Of the process. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Resolves when it can run graphs. */
  async configure(configuration: Omit<Extract<PopulationCommand, { do: 'configure' }>, 'do'>): Promise<void> {
    await this.#waiting.promise;
    this.#send({ do: 'configure', ...configuration });
    await this.#ready.promise;
  }

  /** Starts a run. */
  run(command: Omit<Extract<PopulationCommand, { do: 'run' }>, 'do'>): void {
    this.#runs.set(command.thread, { held: deferred(), over: deferred() });
    this.#send({ do: 'run', ...command });
  }

  /** Resolves when the thread's node is held. */
  held(thread: string): Promise<void> {
    return this.#progress(thread).held.promise;
  }

  /** Resolves when the thread's run is over. */
  over(thread: string): Promise<OverRun> {
    return this.#progress(thread).over.promise;
  }

  /** Lets all held nodes go on. */
  open(): void {
    this.#send({ do: 'open' });
  }

  /** Ends it by SIGKILL, as a crash or the kernel would; resolves when it is gone. What it wrote is with the database. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  #progress(thread: string): Progress {
    const progress = this.#runs.get(thread);
    if (progress === undefined) throw new RangeError(`no run was started on ${thread}`);
    return progress;
  }

  #hear(raw: unknown): void {
    const message = populationMessageSchema.parse(raw);
    switch (message.say) {
      case 'waiting':
        this.#waiting.resolve(undefined);
        return;
      case 'ready':
        this.#ready.resolve(undefined);
        return;
      case 'held':
        this.#progress(message.thread).held.resolve(undefined);
        return;
      case 'over':
        this.#progress(message.thread).over.resolve({ end: message.end, because: message.because });
        return;
      case 'broken':
        this.#process.fail(message.because);
    }
  }

  #send(command: PopulationCommand): void {
    this.#process.send(command);
  }
}
