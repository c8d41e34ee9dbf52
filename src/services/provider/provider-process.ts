/**
 * The provider's process as its series sees it: forked, guarded by the watchdog before it serves, ended for certain.
 * Easy to get wrong: a provider that dies in mid-series must end the series, since without its account no trial can be
 * judged; every later question to it is answered with its death.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { OperatorError } from '../../failure/operator-error.ts';
import { builtFile } from '../../package-root.ts';
import { OutputTail } from '../../cluster/output-tail.ts';
import { providerMessageSchema, type ProviderConfig } from './provider-protocol.ts';

/** It loads little; a machine that takes longer than this is out of order. */
const startDeadlineMs = 30_000;
const stopGraceMs = 3_000;

/** See the file's head. */
export class ProviderProcess {
  readonly address: string;
  readonly pid: number;
  /** Resolves with what it said last when it has ended, in whatever way. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, pid: number, port: number, ended: Promise<string>) {
    this.#child = child;
    this.pid = pid;
    this.address = `http://127.0.0.1:${port}`;
    this.ended = ended;
  }

  /**
   * Starts it, or nothing.
   *
   * @param outputFile what the process prints goes there
   * @param guard called with its pid before it serves
   * @throws OperatorError saying why it does not serve
   */
  static async start(
    config: Omit<ProviderConfig, 'kind'>,
    outputFile: string,
    guard: (pid: number) => void,
  ): Promise<ProviderProcess> {
    const child = fork(builtFile('src/services/provider/main'), [], { silent: true, execArgv: [] });
    const tail = new OutputTail(outputFile, [child.stdout, child.stderr]);
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
    if (pid === undefined) throw notServing(await ended);
    guard(pid);
    try {
      return new ProviderProcess(child, pid, await listening(child, config, ended), ended);
    } catch (error) {
      child.kill('SIGKILL');
      await ended;
      throw error;
    }
  }

  /** SIGTERM, then SIGKILL. Resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), stopGraceMs);
    await this.ended;
    clearTimeout(late);
  }
}

async function listening(
  child: ChildProcess,
  config: Omit<ProviderConfig, 'kind'>,
  ended: Promise<string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(notServing(`it did not serve within ${startDeadlineMs} ms`));
    }, startDeadlineMs);
    const done = (settle: () => void) => {
      clearTimeout(late);
      settle();
    };
    child.on('message', (raw: unknown) => {
      const message = providerMessageSchema.safeParse(raw);
      if (!message.success) return;
      if (message.data.kind === 'waiting') child.send({ kind: 'configure', ...config });
      else if (message.data.kind === 'broken') {
        const { what } = message.data;
        done(() => {
          reject(notServing(what));
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
        reject(notServing(how));
      });
    });
  });
}

/** The error for a provider that does not serve, or not any more. */
export function notServing(how: string): OperatorError {
  return new OperatorError({
    happened: `the payment provider does not serve: ${how}`,
    place: 'the provider process of this series',
    remedy: 'Look at its log, workers/provider.log of the run directory.',
  });
}
