/**
 * A process that makes threads, as its primary sees it: forked, configured, asked for runs, and at the end stopped or
 * killed. Easy to get wrong: a death that nobody ordered ends the experiment, since the truth about its threads is no
 * longer what was made.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { OutputTail } from '#src/cluster/output-tail.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { builtFile } from '#src/package-root.ts';
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
  readonly pid: number;
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #tail: OutputTail;
  readonly #runs = new Map<string, Progress>();
  readonly #waiting = resolvers<undefined>();
  readonly #ready = resolvers<undefined>();
  readonly #died: Promise<void>;
  /** Why nothing more can come of it; null as long as it can. */
  #failure: Error | null = null;
  #isEnding = false;

  /** Forks the process; it does nothing before it is configured. `onFork` is told its pid at once. */
  constructor(name: string, logFolder: string, onFork: (pid: number) => void) {
    this.#name = name;
    this.#child = fork(builtFile('src/experiments/reconcile/population-worker'), [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
    });
    this.pid = this.#child.pid ?? -1;
    if (this.#child.pid !== undefined) onFork(this.pid);
    this.#tail = new OutputTail(join(logFolder, `${name}.log`), [this.#child.stdout, this.#child.stderr]);
    this.#child.on('error', (error) => {
      this.#fail(error.message);
    });
    this.#child.on('message', (raw) => {
      this.#hear(raw);
    });
    this.#died = new Promise((resolve) => {
      // `close` and not `exit`: only then have both streams given their last lines.
      this.#child.once('close', (code: number | null, signal: string | null) => {
        this.#tail.close();
        if (!this.#isEnding) this.#fail(`it died with ${signal ?? `status ${String(code)}`}`);
        resolve();
      });
    });
  }

  /** Resolves when it can run graphs. */
  async configure(configuration: Omit<Extract<PopulationCommand, { do: 'configure' }>, 'do'>): Promise<void> {
    await this.#waiting.promise;
    this.#send({ do: 'configure', ...configuration });
    await this.#ready.promise;
  }

  /** Starts a run. */
  run(command: Omit<Extract<PopulationCommand, { do: 'run' }>, 'do'>): void {
    this.#runs.set(command.thread, { held: resolvers(), over: resolvers() });
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

  /** Ends it by SIGKILL, as a crash or the kernel would; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#isEnding = true;
    this.#child.kill('SIGKILL');
    await this.#died;
  }

  /** Ends it; resolves when it is gone. Harmless when it is gone already. What it wrote is with the database. */
  async stop(): Promise<void> {
    await this.kill();
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
        this.#fail(message.because);
    }
  }

  #send(command: PopulationCommand): void {
    if (this.#failure !== null) throw this.#failure;
    this.#child.send(command, (error) => {
      if (error !== null && !this.#isEnding) this.#fail(error.message);
    });
  }

  #fail(because: string): void {
    const said =
      this.#tail.lines.length === 0 ? '' : `; its last lines: ${this.#tail.lines.slice(-4).join(' | ')}`;
    this.#failure ??= new OperatorError({
      happened: `a process that makes threads cannot go on: ${because}${said}`,
      place: `${this.#name} (pid ${this.pid}), log ${this.#tail.logFile}`,
      remedy: 'Read its log; the first line usually names the cause.',
    });
    const all = [
      this.#waiting,
      this.#ready,
      ...[...this.#runs.values()].flatMap(({ held, over }) => [held, over]),
    ];
    for (const { reject } of all) reject(this.#failure);
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

function resolvers<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Whoever waits learns of it; a failure while nobody waits must not end the primary.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
