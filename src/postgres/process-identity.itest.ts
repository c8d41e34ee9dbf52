import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { holdsWithin, identifyProcess, isRunning, processesIn, sendSignal } from './process-identity.ts';
import { killAllIn, killProcess } from './stop-process.ts';

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
});

function start(
  program: string,
  args: readonly string[],
  options: { cwd?: string; detached?: boolean } = {},
): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  children.push(child);
  return child;
}

test('a process runs until it is killed, and its name says so', async () => {
  const sleeper = identifyProcess(start('sleep', ['600']).pid ?? 0);
  expect(isRunning(sleeper)).toBe(true);
  expect(await killProcess(sleeper, 'process', 10_000)).toBe(true);
  expect(isRunning(sleeper)).toBe(false);
  expect(sendSignal(sleeper, 'SIGTERM', 'process')).toBe(false);
});

test('a process that ended and was never reaped is not running', async () => {
  // The shell's child ends at once, and the program that replaces the shell never asks for its status.
  const parent = start('/bin/sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 600']);
  const pid = await new Promise<number>((resolve) => {
    parent.stdout?.once('data', (text: Buffer) => {
      resolve(Number(text.toString()));
    });
  });
  const zombie = identifyProcess(pid);
  expect(await holdsWithin(10_000, () => !isRunning(zombie))).toBe(true);
  expect(process.kill(pid, 0)).toBe(true); // its pid is still taken
});

test('a group is killed although the process that led it has ended', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'forkscope-test-')));
  const leader = start('/bin/sh', ['-c', 'sleep 600 & sleep 600 &'], { cwd: folder, detached: true });
  const identity = identifyProcess(leader.pid ?? 0);
  await new Promise((resolve) => leader.once('exit', resolve));
  expect(processesIn(folder)).toHaveLength(2);
  sendSignal(identity, 'SIGKILL', 'group');
  expect(await holdsWithin(10_000, () => processesIn(folder).length === 0)).toBe(true);
  await rm(folder, { recursive: true });
});

test('whatever works in a folder or below it is found and killed, and nothing else', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'forkscope-test-')));
  const neighbour = await realpath(await mkdtemp(`${folder}-`));
  const inside = identifyProcess(start('sleep', ['600'], { cwd: folder }).pid ?? 0);
  const outside = identifyProcess(start('sleep', ['600'], { cwd: neighbour }).pid ?? 0);
  expect(processesIn(folder)).toEqual([inside]);
  expect(await killAllIn(folder, 10_000)).toBe(true);
  expect(isRunning(inside)).toBe(false);
  expect(isRunning(outside)).toBe(true);
  await rm(folder, { recursive: true });
  await rm(neighbour, { recursive: true });
});
