/**
 * Who cleans up when this process is killed without a chance to? A small process of its own that holds the other end
 * of a pipe: the kernel closes the pipe when this process ends, however it ends, and that is the signal. Easy to get
 * wrong: register a cleanup and wait for it *before* doing what it undoes, or a kill in between leaves it undone.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { OperatorError } from '#src/failure/operator-error.ts';
import { builtFile } from '#src/package-root.ts';
import { decodeFailure, encodeLine, type Cleanup, type Instruction } from './watchdog-protocol.ts';

/** A cleanup that the watchdog has taken over. */
export interface Registration {
  /** Say this once the thing is undone, or is to stay. */
  release(): void;
}

/** A running watchdog. One serves the whole process. */
export interface Watchdog {
  readonly pid: number;
  /**
   * Resolves once the kernel has it in the pipe, from when on it will be done should this process die: the watchdog
   * reads what was written before its end, also if it has not finished loading yet.
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
 * Starts the watchdog, in a session of its own, and does not wait until it has loaded. It does not keep this process
 * alive. Call it in the primary only, never in a worker. Fails with an `OperatorError` when no process can be started.
 */
export function startWatchdog(): Watchdog {
  return new PipeWatchdog();
}

/** Longer than all deadlines of the cleanups in a row. */
const closeDeadlineMs = 60_000;

class PipeWatchdog implements Watchdog {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #failures: string[] = [];
  readonly #ended: Promise<void>;
  #lastId = 0;
  #gone = false;
  #closing: Promise<void> | null = null;

  constructor() {
    const program = builtFile('src/postgres/watchdog-process');
    const env = { ...process.env };
    delete env['NODE_OPTIONS']; // an inspector or a loader of the primary is not for it
    const child = spawn(process.execPath, [program], {
      cwd: '/',
      detached: true,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.once('error', () => undefined); // thrown here, at once
    if (child.pid === undefined) {
      throw new OperatorError({
        happened: 'the watchdog cannot be started',
        place: `${process.execPath} ${program}`,
        remedy: 'Check the limits on processes and open files (ulimit -u, ulimit -n).',
      });
    }
    this.pid = child.pid;
    this.#child = child;
    this.#input = child.stdin;
    this.#input.on('error', () => undefined); // each write learns of it by its callback
    createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => {
      const failure = decodeFailure(line);
      if (failure !== null) this.#failures.push(failure.because);
    });
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        this.#gone = true;
        resolve();
      });
    });
    this.#holdOpen(false);
  }

  async register(cleanup: Cleanup): Promise<Registration> {
    const id = ++this.#lastId;
    if (this.#gone || this.#closing !== null) throw this.#isGone();
    await this.#say({ do: 'register', id, cleanup });
    return {
      release: () => {
        // If it cannot be said, the watchdog is gone and does nothing anyway.
        if (this.#closing === null) this.#say({ do: 'release', id }).catch(() => undefined);
      },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#holdOpen(true);
    await this.#say({ do: 'close' }).catch(() => undefined); // its end says more than the broken pipe
    this.#input.end();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), closeDeadlineMs);
    await this.#ended;
    clearTimeout(kill);
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0)
      this.#failures.push(`it ended by itself (${signalCode ?? `status ${exitCode ?? '?'}`})`);
    if (this.#failures.length === 0) return;
    throw new OperatorError({
      happened: `something could not be cleaned up: ${this.#failures.join(' · ')}`,
      place: `watchdog, process ${this.pid}`,
      remedy: 'Remove by hand what is named here.',
    });
  }

  /** Resolves when the kernel has taken the whole line. */
  #say(instruction: Instruction): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#input.write(`${encodeLine(instruction)}\n`, (error) => {
        if (error) reject(this.#isGone(error));
        else resolve();
      });
    });
  }

  #isGone(cause?: Error): OperatorError {
    return new OperatorError({
      happened: 'the watchdog is gone, so nothing would be cleaned up after a crash',
      place: `process ${this.pid}`,
      remedy:
        'Start again; if it happens again, look for what kills processes here (memory limits, for one).',
      cause,
    });
  }

  /** Whether this process waits for the end of the watchdog before it ends by itself. */
  #holdOpen(hold: boolean): void {
    for (const handle of [this.#child, this.#input, this.#child.stdout] as readonly unknown[]) {
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
