/**
 * How is a process started so that a crash of this one cannot orphan it? A shell is started first and waits on a pipe;
 * its pid is noted by the watchdog; only then does it get the word to become the real program, which keeps the pid.
 * Easy to get wrong: noting a pid after the program runs leaves a moment in which a SIGKILL of this process leaves the
 * program behind for ever. Here the shell reads end-of-file in that moment and ends.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { invariant } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { identifyProcess, type ProcessIdentity } from './process-identity.ts';
import { codeOf } from './sqlstate.ts';
import type { Registration } from './watchdog.ts';

/** Whom a process runs as. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** What to start. */
export interface WatchedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Its working folder, which `asUser` must be able to enter. */
  readonly folder: string;
  /** Both of its output streams go here, appended. A file, since a pipe would break when this process dies. */
  readonly outputFile: string;
  /** Null: as whoever runs this process. */
  readonly asUser: UserIds | null;
}

/** How a started process ended. */
export interface ProcessEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs, known to the watchdog. */
export interface WatchedProcess {
  readonly identity: ProcessIdentity;
  /** Resolves when it has ended, whichever way; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Release it once the process has ended. */
  readonly registration: Registration;
}

/** The input of the real program is closed to it: a server must not read a pipe that is meant for the gate. */
const gate = 'read -r word && exec "$@" </dev/null';

/**
 * Starts a program. `register` hands its identity to the watchdog; the program does not run before that is done, nor
 * at all when it fails. It leads a session of its own, so that signals of the terminal pass it by.
 * Fails with an `OperatorError` when it cannot be started, for instance by a root without the right to become another
 * user.
 */
export async function startWatched(
  command: WatchedCommand,
  register: (identity: ProcessIdentity) => Promise<Registration>,
): Promise<WatchedProcess> {
  const output = openSync(command.outputFile, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', gate, 'forkscope-gate', command.program, ...command.args], {
    cwd: command.folder,
    detached: true,
    // Nothing of the caller's environment: PGDATA, PGPORT or LD_LIBRARY_PATH would change what is started.
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    stdio: ['pipe', output, output],
    ...(command.asUser ?? {}),
  });
  closeSync(output);
  const { stdin } = child;
  invariant(stdin !== null, 'the first stream of the child is a pipe');
  // A gate that is gone before the word reaches it is reported by `ended`, not by its pipe.
  stdin.on('error', () => undefined);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      resolve({ exitCode, signal });
    });
  });
  if (child.pid === undefined) throw await cannotStart(child, command);
  const identity = identifyProcess(child.pid);
  try {
    const registration = await register(identity);
    stdin.end('go\n');
    return { identity, ended, registration };
  } catch (error) {
    stdin.end(); // the gate reads the end of its input, and ends
    await ended;
    throw error;
  }
}

async function cannotStart(child: NodeJS.EventEmitter, command: WatchedCommand): Promise<OperatorError> {
  const cause = await new Promise<unknown>((resolve) => child.once('error', resolve));
  const user = command.asUser === null ? 'the present user' : `user id ${command.asUser.uid}`;
  return new OperatorError({
    happened: `a process could not be started as ${user} [${codeOf(cause) ?? 'unknown'}]`,
    place: command.program,
    remedy:
      command.asUser === null
        ? 'Check the limits on processes and open files (ulimit -u, ulimit -n).'
        : 'Run forkscope as an ordinary user, or give it a server of your own with --db.',
    cause,
  });
}

/** How a process ended, in words. */
export function describeEnd(end: ProcessEnd): string {
  return end.signal === null
    ? `ended with status ${end.exitCode ?? 'unknown'}`
    : `was ended by ${end.signal}`;
}
