/**
 * For tests: the built program as a user starts it, in a folder of its own that is also its TMPDIR, and what it leaves
 * behind. Its processes are found by a mark in their environment and by their working folder, never by a pid alone.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processesIn } from '#src/postgres/process-identity.ts';
import { builtFile } from '#src/package-root.ts';

/** How the program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started program. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

const mark = 'FORKSCOPE_TEST_MARK';

/** A place to run the program in. */
export class Workplace {
  readonly folder: string;
  /** Where series are stored. */
  readonly out: string;
  readonly #mark = randomUUID();
  readonly #temporary: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.out = join(folder, 'runs');
    this.#temporary = join(folder, 'tmp');
  }

  static async open(): Promise<Workplace> {
    const place = new Workplace(await mkdtemp(join(await realpath(tmpdir()), 'forkscope-cli-')));
    await chmod(place.folder, 0o711);
    await mkdir(place.#temporary);
    await chmod(place.#temporary, 0o777);
    return place;
  }

  /** Starts the program. `prefix` is put before it, such as `['prlimit', '--fsize=1000']`. */
  start(args: readonly string[], prefix: readonly string[] = []): Running {
    const [command = process.execPath, ...rest] = [
      ...prefix,
      process.execPath,
      builtFile('src/cli/main'),
      ...args,
    ];
    const env = { ...process.env, TMPDIR: this.#temporary, [mark]: this.#mark, NO_COLOR: '1' };
    const child = spawn(command, rest, {
      cwd: this.folder,
      // What the developer's shell or the test runner sets must not reach the program.
      env: { ...env, FORKSCOPE_DB: undefined, NODE_OPTIONS: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code, signal) => {
        resolve({ code, signal, stdout, stderr });
      });
    });
    return { child, ended };
  }

  async run(...args: string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** Waits until a line of the newest series' history satisfies `condition`. */
  async history(running: Running, condition: (line: string) => boolean): Promise<void> {
    for (;;) {
      if (this.historyLines().some(condition)) return;
      if (running.child.exitCode !== null || running.child.signalCode !== null) {
        throw new Error(
          `the program ended before its history showed it: ${JSON.stringify(await running.ended)}`,
        );
      }
      await delay(10);
    }
  }

  historyLines(): readonly string[] {
    try {
      return readFileSync(join(this.out, 'latest', 'history.jsonl'), 'utf8').split('\n');
    } catch {
      return [];
    }
  }

  /** Pids of processes that carry this workplace's mark and whose command line contains `text`. */
  processes(text = ''): readonly number[] {
    const found: number[] = [];
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(this.#mark)) continue;
        if (readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text)) found.push(Number(name));
      } catch {
        // It ended meanwhile.
      }
    }
    return found;
  }

  /** Pids of the postmasters that run in this workplace. */
  postmasters(): readonly number[] {
    return processesIn(this.#temporary)
      .map(({ pid }) => pid)
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('-D'));
  }

  /** Waits until no process and no temporary file is left; what is still there after half a minute. */
  async leftovers(): Promise<readonly string[]> {
    const there = () => [
      ...this.processes().map((pid) => `process ${pid}`),
      ...processesIn(this.folder).map(({ pid }) => `process ${pid}`),
      ...readdirSync(this.#temporary),
    ];
    for (let wait = 0; wait < 300 && there().length > 0; wait += 1) await delay(100);
    return there();
  }

  async close(): Promise<void> {
    for (const pid of [...this.processes(), ...processesIn(this.folder).map((found) => found.pid)]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
