/** A service under test as its primary sees it: started, configured, posted to, ended. */
import { deferred } from '../deferred.ts';
import { ExperimentProcess, type ProcessEnd } from '../experiment-process.ts';
import { vanishMessageSchema, type ReapLimits, type VanishCommand } from './vanish-protocol.ts';

/**
 * So much heap each service has, as a small container gives; what it needs itself is under half of it. An order that asks
 * for more ends it.
 */
const heapMegabytes = 128;

/** What was heard of a run, monotonic milliseconds; a service that is ended may not have told all. */
export interface HeardRun {
  answeredMs: number | null;
  storedMs: number | null;
  overMs: number | null;
}

/** See the file's head. */
export class ServiceProcess {
  /** By run. */
  readonly heard = new Map<string, HeardRun>();
  readonly #process: ExperimentProcess;
  readonly #waiting = deferred<undefined>();
  readonly #ready = deferred<number>();
  readonly #reaped = deferred<undefined>();
  readonly #failed = deferred<never>();
  readonly #over = new Set<() => void>();

  constructor(name: string, logFolder: string, onFork: (pid: number) => void) {
    this.#process = new ExperimentProcess({
      name,
      module: 'src/experiments/vanish/service-main',
      logFolder,
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      onFork,
      onMessage: (raw) => {
        this.#hear(raw);
      },
      onFailure: (failure) => {
        for (const { reject } of [this.#waiting, this.#ready, this.#reaped, this.#failed]) reject(failure);
      },
    });
  }

  /** Resolves when everything is loaded, so that nothing but the runs is at work later. */
  get loaded(): Promise<void> {
    return this.#waiting.promise;
  }

  /** Rejects when it can do no more although nobody ended it; never resolves. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Resolves with its port when it serves. */
  async configure(configuration: Omit<Extract<VanishCommand, { do: 'configure' }>, 'do'>): Promise<number> {
    await this.#waiting.promise;
    this.#process.send({ do: 'configure', ...configuration });
    return this.#ready.promise;
  }

  /** Resolves when so many runs are over, or it has ended. */
  async overs(count: number): Promise<void> {
    const service = { isEnded: false };
    void this.#process.ended.then(() => {
      service.isEnded = true;
      this.#wake();
    });
    while (
      !service.isEnded &&
      [...this.heard.values()].filter(({ overMs }) => overMs !== null).length < count
    ) {
      await new Promise<void>((resolve) => this.#over.add(resolve));
    }
  }

  /** Takes up what is left; true when nothing is, false when it ended over it. */
  async reap(limits: ReapLimits): Promise<boolean> {
    this.#process.expectEnd();
    this.#process.send({ do: 'reap', limits });
    return Promise.race([this.#reaped.promise.then(() => true), this.#process.ended.then(() => false)]);
  }

  /** It is to end by what is done to it; resolves when it has. SIGKILL after `graceMs`, as orchestrators do. */
  async end(by: NodeJS.Signals | null, graceMs: number): Promise<ProcessEnd> {
    const ended = by === null ? this.#expected() : this.#process.kill(by);
    const timer = setTimeout(() => void this.#process.kill('SIGKILL'), graceMs);
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it at once; harmless when it is gone. */
  async kill(): Promise<void> {
    await this.#process.kill('SIGKILL');
  }

  #expected(): Promise<ProcessEnd> {
    this.#process.expectEnd();
    return this.#process.ended;
  }

  #hear(raw: unknown): void {
    const message = vanishMessageSchema.parse(raw);
    switch (message.say) {
      case 'waiting':
        this.#waiting.resolve(undefined);
        return;
      case 'ready':
        this.#ready.resolve(message.port);
        return;
      case 'answered':
        this.#run(message.run).answeredMs = message.atMs;
        return;
      case 'stored':
        this.#run(message.run).storedMs = message.atMs;
        return;
      case 'over':
        this.#run(message.run).overMs = message.atMs;
        this.#wake();
        return;
      case 'reaped':
        this.#reaped.resolve(undefined);
        return;
      case 'broken':
        this.#process.fail(message.because);
    }
  }

  #run(run: string): HeardRun {
    let heard = this.heard.get(run);
    if (heard === undefined) {
      heard = { answeredMs: null, storedMs: null, overMs: null };
      this.heard.set(run, heard);
    }
    return heard;
  }

  #wake(): void {
    const waiters = [...this.#over];
    this.#over.clear();
    for (const wake of waiters) wake();
  }
}
