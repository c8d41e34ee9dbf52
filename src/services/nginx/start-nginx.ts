/**
 * nginx as a service of a series. Its folder in the run directory keeps its configuration; what it writes beside it goes
 * when it ends.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { OutputTail } from '../../cluster/output-tail.ts';
import { OperatorError } from '../../failure/operator-error.ts';
import { layoutOf } from '../../rundir/layout.ts';
import type { StartService } from '../service.ts';
import { findNginx, nginxBuild, nginxRemedy } from './find-nginx.ts';
import { nginxConfig } from './nginx-config.ts';

const startDeadlineMs = 10_000;
const stopGraceMs = 3_000;

/** See the file's head. */
export const startNginx: StartService = async ({ folder, guard, releasers }) => {
  const file = findNginx();
  if (file === null) throw notServing('there is none on this machine', nginxRemedy);
  const { workers } = layoutOf(folder);
  const ownFolder = join(workers, 'nginx');
  const { tempDirectives } = await nginxBuild(file);
  const port = await getPort({ host: '127.0.0.1' });
  mkdirSync(ownFolder);
  writeFileSync(join(ownFolder, 'nginx.conf'), nginxConfig(port, tempDirectives));
  const child = spawn(file, ['-p', `${ownFolder}/`, '-c', 'nginx.conf', '-e', 'stderr'], {
    cwd: ownFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The terminal's Ctrl-C goes to the whole group; the series turns it into an orderly end.
    detached: true,
  });
  const outputFile = join(workers, 'nginx.log');
  const tail = new OutputTail(outputFile, [child.stdout, child.stderr]);
  const ended = endOf(child, tail);
  let isStopped = false;
  releasers.add('nginx', async () => {
    isStopped = true;
    await stop(child, ended);
    for (const directive of tempDirectives)
      rmSync(join(ownFolder, directive), { recursive: true, force: true });
  });
  const failure = ended.then((how) => notServing(how, `Look at what it printed: ${outputFile}.`));
  if (child.pid === undefined) throw await failure;
  guard(child.pid);
  await Promise.race([
    connectable(port),
    failure.then((error): never => {
      throw error;
    }),
  ]);
  return {
    address: `http://127.0.0.1:${port}`,
    died: new Promise((resolve) => {
      void failure.then((error) => {
        if (!isStopped) resolve(error);
      });
    }),
    outcomesOf: () => Promise.resolve(new Map()),
    store: () => Promise.resolve(),
  };
};

/** Resolves with what it said last when it has ended, or could not begin. */
function endOf(child: ChildProcess, tail: OutputTail): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
    child.once('close', (code, signal) => {
      tail.close();
      const how = signal === null ? `exit status ${String(code)}` : `signal ${signal}`;
      const said = tail.lines.length === 0 ? '' : `: ${tail.lines.slice(-3).join(' | ')}`;
      resolve(`it ended with ${how}${said}`);
    });
  });
}

/** SIGTERM, then SIGKILL. Resolves when the process is gone. */
async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
  await ended;
  clearTimeout(late);
}

async function connectable(port: number): Promise<void> {
  const until = Date.now() + startDeadlineMs;
  for (;;) {
    if (await connects(port)) return;
    if (Date.now() > until)
      throw notServing(
        `it did not listen within ${startDeadlineMs} ms`,
        'Try again on a machine that has less to do.',
      );
    await delay(20);
  }
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

function notServing(how: string, remedy: string): OperatorError {
  return new OperatorError({
    happened: `nginx does not serve: ${how}`,
    place: 'a service of this series',
    remedy,
  });
}
