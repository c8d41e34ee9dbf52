/**
 * A process that an experiment forks to do what a worker does, as its primary sees it: heard, told, and at the end killed.
 * Easy to get wrong: a death that nobody ordered ends the experiment, since what is known of its runs is no longer what
 * was done to them.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { OutputTail } from '#src/cluster/output-tail.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { builtFile } from '#src/package-root.ts';

/** What is forked. */
export interface ProcessChoice {
  /** For its log file and for messages. */
  readonly name: string;
  /** A module such as `src/experiments/reconcile/population-worker`. */
  readonly module: string;
  readonly logFolder: string;
  /** Node's own options, such as a heap limit. */
  readonly execArgv?: readonly string[];
  /** Told its pid at once. */
  readonly onFork: (pid: number) => void;
  /** Every message; what it throws is a failure. */
  readonly onMessage: (message: unknown) => void;
  /** Told once, when nothing more can come of it although nobody ended it. */
  readonly onFailure: (failure: OperatorError) => void;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** See the file's head. */
export class ExperimentProcess {
  readonly pid: number;
  /** Resolves when it is gone and its last words are in its log. */
  readonly ended: Promise<ProcessEnd>;
  readonly #choice: ProcessChoice;
  readonly #child: ChildProcess;
  readonly #tail: OutputTail;
  #failure: OperatorError | null = null;
  #isEnding = false;

  /** Forks it. */
  constructor(choice: ProcessChoice) {
    this.#choice = choice;
    this.#child = fork(builtFile(choice.module), [], {
      // A process that runs out of memory may leave a core file where it works.
      cwd: choice.logFolder,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [...(choice.execArgv ?? [])],
    });
    this.pid = this.#child.pid ?? -1;
    if (this.#child.pid !== undefined) choice.onFork(this.pid);
    this.#tail = new OutputTail(join(choice.logFolder, `${choice.name}.log`), [
      this.#child.stdout,
      this.#child.stderr,
    ]);
    this.#child.on('error', (error) => {
      this.fail(error.message);
    });
    this.#child.on('message', (message) => {
      choice.onMessage(message);
    });
    this.ended = new Promise((resolve) => {
      // `close` and not `exit`: only then have both streams given their last lines.
      this.#child.once('close', (code: number | null, signal: string | null) => {
        this.#tail.close();
        if (!this.#isEnding) this.fail(`it died with ${signal ?? `status ${String(code)}`}`);
        resolve({ code, signal });
      });
    });
  }

  /** Sends a message. *Fails* with the first failure when there was one. */
  send(message: object): void {
    if (this.#failure !== null) throw this.#failure;
    this.#child.send(message, (error) => {
      if (error !== null && !this.#isEnding) this.fail(error.message);
    });
  }

  /** Its end is expected from here on, whoever brings it about. */
  expectEnd(): void {
    this.#isEnding = true;
  }

  /** Sends a signal that is meant to end it; resolves when it is gone. Harmless when it is gone already. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<ProcessEnd> {
    this.expectEnd();
    this.#child.kill(signal);
    return this.ended;
  }

  /** It cannot do its work; only the first reason counts. */
  fail(because: string): void {
    if (this.#failure !== null) return;
    const { lines, logFile } = this.#tail;
    const said = lines.length === 0 ? '' : `; its last lines: ${lines.slice(-4).join(' | ')}`;
    this.#failure = new OperatorError({
      happened: `a process of the experiment cannot go on: ${because}${said}`,
      place: `${this.#choice.name} (pid ${this.pid}), log ${logFile}`,
      remedy: 'Read its log; the first line usually names the cause.',
    });
    this.#choice.onFailure(this.#failure);
  }
}
