import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '#src/failure/operator-error.ts';
import { holdsWithin, identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';
import { newRunFolderPath } from './run-folder.ts';
import { seriesSchemaFor } from './series-schema-name.ts';
import { openSandbox, type Sandbox } from './testing/leftovers.ts';
import { startScript, type Script } from './testing/script.ts';
import { startWatchdog } from './watchdog.ts';

let sandbox: Sandbox;
const started: ChildProcess[] = [];

beforeAll(async () => {
  sandbox = await openSandbox();
});

afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  expect(await sandbox.left()).toEqual([]);
});

afterAll(async () => {
  await sandbox.close();
});

/** A process that does nothing for longer than any test. */
function sleeper(): ProcessIdentity {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  started.push(child);
  return identifyProcess(child.pid ?? 0);
}

const startServer = `
  const { startWatchdog } = await postgres('watchdog');
  const { startEmbeddedServer } = await postgres('embedded-server');
  const watchdog = startWatchdog();
  console.log('watchdog ' + watchdog.pid);
  const server = await startEmbeddedServer({ watchdog });
  console.log('ready ' + server.processIds[0]);
  setInterval(() => undefined, 1000);`;

/** Whether some run folder in the sandbox holds this file. */
function appeared(file: string): boolean {
  return readdirSync(sandbox.folder).some((folder) => existsSync(path.join(sandbox.folder, folder, file)));
}

describe('a primary that is killed outright leaves neither process nor folder', () => {
  const stages: readonly (readonly [string, () => boolean])[] = [
    ['at once, before anything exists', () => true],
    ['when its folder appears', () => readdirSync(sandbox.folder).length > 0],
    ['while programs are brought there', () => appeared('native/bin')],
    ['when initdb is about to run', () => appeared('initdb.log')],
    ['while initdb runs', () => appeared('data/global')],
    ['when the server is about to run', () => appeared('server-1.log')],
    ['while the server starts', () => appeared('data/postmaster.pid')],
  ];

  test.each(stages)('%s', async (_, reached) => {
    const script = startScript(startServer);
    const watchdog = identifyProcess(Number(await script.heard('watchdog')));
    expect(await holdsWithin(20_000, reached)).toBe(true);
    script.kill('SIGKILL');
    await script.ended;
    expect(await sandbox.left()).toEqual([]);
    expect(await holdsWithin(10_000, () => !isRunning(watchdog))).toBe(true);
  });

  test('while the server is in use', async () => {
    const script = startScript(startServer);
    const [watchdog, postmaster] = await pids(script);
    script.kill('SIGKILL');
    await script.ended;
    expect(await sandbox.left()).toEqual([]);
    expect(await holdsWithin(10_000, () => !isRunning(watchdog) && !isRunning(postmaster))).toBe(true);
  });

  test('while the server is stopped by a signal that it cannot answer', async () => {
    const script = startScript(startServer);
    const [, postmaster] = await pids(script);
    process.kill(postmaster.pid, 'SIGSTOP');
    script.kill('SIGKILL');
    await script.ended;
    expect(await sandbox.left(30_000)).toEqual([]);
  });
});

async function pids(script: Script): Promise<readonly [ProcessIdentity, ProcessIdentity]> {
  const watchdog = script.heard('watchdog');
  const ready = script.heard('ready');
  return [identifyProcess(Number(await watchdog)), identifyProcess(Number(await ready))];
}

test('signals that end other programs do not end the watchdog, and it ends with its primary all the same', async () => {
  const script = startScript(startServer);
  const [watchdog] = await pids(script);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
    process.kill(watchdog.pid, signal);
  script.kill('SIGTERM'); // ends the primary, which does not handle it
  await script.ended;
  expect(await sandbox.left()).toEqual([]);
  expect(await holdsWithin(10_000, () => !isRunning(watchdog))).toBe(true);
});

test('a watchdog with nothing to do ends when it is closed, and closing it twice is harmless', async () => {
  const watchdog = startWatchdog();
  const itself = identifyProcess(watchdog.pid);
  expect(isRunning(itself)).toBe(true);
  await watchdog.close();
  await watchdog.close();
  expect(isRunning(itself)).toBe(false);
});

test('closing the watchdog does what is registered, and not what was released', async () => {
  const watchdog = startWatchdog();
  const [doomed, spared] = [sleeper(), sleeper()];
  await watchdog.register({ kind: 'kill-process', process: doomed });
  const registration = await watchdog.register({ kind: 'kill-process', process: spared });
  const folder = newRunFolderPath(sandbox.folder);
  await watchdog.register({ kind: 'remove-folder', folder });
  await mkdir(path.join(folder, 'deep/deeper'), { recursive: true });
  registration.release();
  await watchdog.close();
  expect(isRunning(doomed)).toBe(false);
  expect(isRunning(spared)).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

test('a worker that was stopped is killed with its primary', async () => {
  const worker = sleeper();
  process.kill(worker.pid, 'SIGSTOP');
  const script = startScript(`
    const { startWatchdog } = await postgres('watchdog');
    const { identifyProcess } = await postgres('process-identity');
    await startWatchdog().register({ kind: 'kill-process', process: identifyProcess(${worker.pid}) });
    console.log('registered it');
    setInterval(() => undefined, 1000);`);
  await script.heard('registered');
  script.kill('SIGKILL');
  await script.ended;
  expect(await holdsWithin(10_000, () => !isRunning(worker))).toBe(true);
});

test('a process that merely has the pid of a registered one is left alone', async () => {
  const watchdog = startWatchdog();
  const stranger = sleeper();
  const earlier: ProcessIdentity = { pid: stranger.pid, startTicks: '1' };
  await watchdog.register({ kind: 'kill-process', process: earlier });
  await watchdog.register({ kind: 'kill-group', leader: earlier });
  await watchdog.close();
  expect(isRunning(stranger)).toBe(true);
});

test('a watchdog that was killed refuses to take over anything more, and closing it says how it ended', async () => {
  const watchdog = startWatchdog();
  const itself = identifyProcess(watchdog.pid);
  const worker = sleeper();
  process.kill(watchdog.pid, 'SIGKILL');
  expect(await holdsWithin(10_000, () => !isRunning(itself))).toBe(true);
  const refusal = watchdog.register({ kind: 'kill-process', process: worker });
  await expect(refusal).rejects.toThrow(/the watchdog is gone/);
  await expect(watchdog.close()).rejects.toThrow(/SIGKILL/);
});

test('a cleanup that fails does not stop the others, and is named when the watchdog closes, without a password', async () => {
  const watchdog = startWatchdog();
  const worker = sleeper();
  const dsn = 'postgres://ann:s3cr3t-w0rd@127.0.0.1:1/shop';
  await watchdog.register({ kind: 'drop-schema', dsn, schema: seriesSchemaFor('x') });
  await watchdog.register({ kind: 'kill-process', process: worker });
  const failure = await watchdog.close().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect(String(failure)).toMatch(/nothing listens there \(127\.0\.0\.1:1, database shop\)/);
  expect(String(failure)).not.toContain('s3cr3t');
  expect(isRunning(worker)).toBe(false);
});

test('a watchdog does not keep alive a process that has nothing more to do', async () => {
  const script = startScript(`
    const { startWatchdog } = await postgres('watchdog');
    startWatchdog();`);
  expect(await script.ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});
