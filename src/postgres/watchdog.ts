/**
 * Who cleans up when this process is killed without a chance to? A small process of its own that holds the other end
 * of a pipe: the kernel closes the pipe when this process ends, however it ends, and that is the signal. Easy to get
 * wrong: register a cleanup and wait for it *before* doing what it undoes, or a kill in between leaves it undone.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { invariant } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { decodeAnswer, encodeLine, type Cleanup, type Instruction } from './watchdog-protocol.ts';

/** A cleanup that the watchdog has taken over. */
export interface Registration {
  /** Say this once the thing is undone, or is to stay. */
  release(): void;
}

/** A running watchdog. One serves the whole process. */
export interface Watchdog {
  readonly pid: number;
  /**
   * Resolves once the watchdog has it, from when on it will be done should this process die.
   * Rejects with an `OperatorError` when the watchdog is gone.
   */
  register(cleanup: Cleanup): Promise<Registration>;
  /**
   * Ends the watchdog, which first does every cleanup that is still registered: the same way as after a crash, so it
   * is also the quick way out on SIGINT. Rejects with an `OperatorError` that lists what could not be undone.
   */
  close(): Promise<void>;
}

/**
 * Starts the watchdog, in a session of its own. Returns at once: it takes some 50 ms to load, and `register` waits.
 * It does not keep this process alive. Call it in the primary only, never in a worker.
 */
export function startWatchdog(): Watchdog {
  return new PipeWatchdog();
}

/** Longer than all deadlines of the cleanups in a row. */
const closeDeadlineMs = 60_000;

class PipeWatchdog implements Watchdog {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: () => void; reject: (error: OperatorError) => void }>();
  readonly #failures: string[] = [];
  readonly #ended: Promise<void>;
  #lastId = 0;
  #gone = false;
  #closing: Promise<void> | null = null;

  constructor() {
    // Resolved through package.json, so that sources and the built program alike start the built file.
    const program = createRequire(import.meta.url).resolve('#src/postgres/watchdog-process.ts');
    const env = { ...process.env };
    delete env['NODE_OPTIONS']; // an inspector or a loader of the primary is not for it
    this.#child = spawn(process.execPath, [program], {
      cwd: '/',
      detached: true,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    invariant(this.#child.stdin !== null && this.#child.stdout !== null, 'both streams are pipes');
    this.#child.once('error', () => undefined); // thrown here, at once
    if (this.#child.pid === undefined) {
      throw new OperatorError({
        happened: 'the watchdog cannot be started',
        place: `${process.execPath} ${program}`,
        remedy: 'Check the limits on processes and open files (ulimit -u, ulimit -n).',
      });
    }
    this.pid = this.#child.pid;
    this.#child.stdin.on('error', () => undefined); // its end is reported by `exit`
    const lines = createInterface({ input: this.#child.stdout, crlfDelay: Infinity });
    lines.on('line', (line) => {
      this.#hear(line);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', () => {
        this.#endWaiting();
        resolve();
      });
    });
    this.#holdOpen(false);
  }

  async register(cleanup: Cleanup): Promise<Registration> {
    const id = ++this.#lastId;
    if (this.#gone || this.#closing !== null) throw this.#isGone();
    await new Promise<void>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#holdOpen(true);
      this.#say({ do: 'register', id, cleanup });
    });
    return {
      release: () => {
        if (!this.#gone) this.#say({ do: 'release', id });
      },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#holdOpen(true);
    this.#say({ do: 'close' });
    this.#child.stdin?.end();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), closeDeadlineMs);
    await this.#ended;
    clearTimeout(kill);
    if (this.#child.signalCode !== null) this.#failures.push(`it was ended by ${this.#child.signalCode}`);
    if (this.#failures.length === 0) return;
    throw new OperatorError({
      happened: `something could not be cleaned up: ${this.#failures.join(' · ')}`,
      place: `watchdog, process ${this.pid}`,
      remedy: 'Remove by hand what is named here.',
    });
  }

  #say(instruction: Instruction): void {
    this.#child.stdin?.write(`${encodeLine(instruction)}\n`);
  }

  #hear(line: string): void {
    const answer = decodeAnswer(line);
    if (answer?.did === 'fail') this.#failures.push(answer.because);
    if (answer?.did !== 'register') return;
    this.#waiting.get(answer.id)?.resolve();
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0 && this.#closing === null) this.#holdOpen(false);
  }

  #endWaiting(): void {
    this.#gone = true;
    for (const { reject } of this.#waiting.values()) reject(this.#isGone());
    this.#waiting.clear();
  }

  #isGone(): OperatorError {
    return new OperatorError({
      happened: 'the watchdog is gone, so nothing would be cleaned up after a crash',
      place: `process ${this.pid}`,
      remedy:
        'Start again; if it happens again, look for what kills processes here (memory limits, for one).',
    });
  }

  /** Whether this process waits for the watchdog before it ends by itself. */
  #holdOpen(hold: boolean): void {
    const { stdin, stdout } = this.#child;
    for (const handle of [this.#child, stdin, stdout] as readonly unknown[]) {
      if (!isRefable(handle)) continue;
      if (hold) handle.ref();
      else handle.unref();
    }
  }
}

/** Pipes to children are sockets at run time, which the types of `ChildProcess` do not say. */
function isRefable(value: unknown): value is { ref(): void; unref(): void } {
  return typeof value === 'object' && value !== null && 'ref' in value && 'unref' in value;
}
