/**
 * A service's process as its series sees it: forked, guarded by the watchdog before it serves, ended for certain. Easy
 * to get wrong: a service that dies in mid-series must end the trials that need it, and every later question to it has
 * to be answered with its death, which is the better reason than a broken connection.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { OutputTail } from '../cluster/output-tail.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { builtFile } from '../package-root.ts';

/** What a service's process tells its series over IPC. */
export const serviceMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('listening'), port: z.number().int() }),
  z.object({ kind: z.literal('broken'), what: z.string() }),
]);
/** See {@link serviceMessageSchema}. */
export type ServiceMessage = z.infer<typeof serviceMessageSchema>;

/** A program that serves. */
export interface ServiceProgram {
  /** Its entry, below the package's root and without extension. */
  readonly entry: string;
  /** What people call it, such as `the payment provider`. */
  readonly title: string;
  /** What it prints goes there. */
  readonly outputFile: string;
  /** Sent to it when it says that it waits, beside `kind: 'configure'`. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** It loads a graph at most; a machine that takes longer than this is out of order. */
const startDeadlineMs = 30_000;
const stopGraceMs = 3_000;

/** How long a question that failed waits for the news that the process died. */
const deathNewsMs = 400;

/** See the file's head. */
export class ServiceProcess {
  readonly address: string;
  readonly pid: number;
  /** Resolves with what it said last when it has ended, in whatever way. */
  readonly ended: Promise<string>;
  /** Resolves with the reason when it has ended and nobody has asked it to; else never. */
  readonly died: Promise<OperatorError>;
  readonly #child: ChildProcess;
  readonly #program: ServiceProgram;
  #isStopped = false;

  private constructor(
    child: ChildProcess,
    pid: number,
    port: number,
    ended: Promise<string>,
    program: ServiceProgram,
  ) {
    this.#child = child;
    this.pid = pid;
    this.address = `http://127.0.0.1:${port}`;
    this.ended = ended;
    this.died = new Promise((resolve) => {
      void ended.then((how) => {
        if (!this.#isStopped) resolve(notServing(program, how));
      });
    });
    this.#program = program;
  }

  /**
   * Starts it, or nothing.
   *
   * @param guard called with its pid before it serves
   * @throws OperatorError saying why it does not serve
   */
  static async start(program: ServiceProgram, guard: (pid: number) => void): Promise<ServiceProcess> {
    const child = fork(builtFile(program.entry), [], { silent: true, execArgv: [] });
    const tail = new OutputTail(program.outputFile, [child.stdout, child.stderr]);
    const ended = new Promise<string>((resolve) => {
      child.once('close', (code, signal) => {
        tail.close();
        const how = signal === null ? `exit status ${String(code)}` : `signal ${signal}`;
        resolve(
          `it ended with ${how}${tail.lines.length === 0 ? '' : `: ${tail.lines.slice(-3).join(' | ')}`}`,
        );
      });
      child.once('error', (error) => {
        if (child.pid === undefined) resolve(error.message);
      });
    });
    const { pid } = child;
    if (pid === undefined) throw notServing(program, await ended);
    guard(pid);
    try {
      return new ServiceProcess(child, pid, await listening(child, program, ended), ended, program);
    } catch (error) {
      child.kill('SIGKILL');
      await ended;
      throw error;
    }
  }

  /** Asks it something; a question that fails because the process is gone fails with the reason. */
  async ask<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const died = this.ended.then((how): never => {
      throw notServing(this.#program, how);
    });
    died.catch(() => undefined);
    try {
      return await Promise.race([question(), died]);
    } catch (error) {
      if (signal.aborted) throw error;
      // A connection breaks before the end of its process is known.
      await Promise.race([died, delay(deathNewsMs)]);
      throw error;
    }
  }

  /** SIGTERM, then SIGKILL. Resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), stopGraceMs);
    await this.ended;
    clearTimeout(late);
  }
}

async function listening(
  child: ChildProcess,
  program: ServiceProgram,
  ended: Promise<string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(notServing(program, `it did not serve within ${startDeadlineMs} ms`));
    }, startDeadlineMs);
    const done = (settle: () => void) => {
      clearTimeout(late);
      settle();
    };
    child.on('message', (raw: unknown) => {
      const message = serviceMessageSchema.safeParse(raw);
      if (!message.success) return;
      if (message.data.kind === 'waiting') child.send({ kind: 'configure', ...program.config });
      else if (message.data.kind === 'broken') {
        const { what } = message.data;
        done(() => {
          reject(notServing(program, what));
        });
      } else {
        const { port } = message.data;
        done(() => {
          resolve(port);
        });
      }
    });
    void ended.then((how) => {
      done(() => {
        reject(notServing(program, how));
      });
    });
  });
}

function notServing({ title, outputFile }: ServiceProgram, how: string): OperatorError {
  return new OperatorError({
    happened: `${title} does not serve: ${how}`,
    place: 'a service process of this series',
    remedy: `Look at what it printed: ${outputFile}.`,
  });
}
