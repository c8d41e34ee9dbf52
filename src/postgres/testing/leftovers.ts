/**
 * For tests: what did a run leave behind? Each test file works in a temporary folder of its own, so that other runs on
 * the same machine do not count. Easy to get wrong: a test that looks once, right after a kill, sees the cleaning still
 * going on; one that waits a fixed time is slow or flaky.
 */
import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { holdsWithin, processesIn } from '../process-identity.ts';

/** A temporary folder that is in use as TMPDIR. */
export interface Sandbox {
  readonly folder: string;
  /** Waits until it is empty and no process works in it; returns what is still there. */
  left(waitMs?: number): Promise<readonly string[]>;
  /** Removes it and sets TMPDIR back. */
  close(): Promise<void>;
}

/** Makes a temporary folder that everybody may use, and sets TMPDIR to it in this process. */
export async function openSandbox(): Promise<Sandbox> {
  const before = process.env['TMPDIR'];
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'forkscope-test-')));
  await chmod(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  const look = (): readonly string[] => [
    ...readdirSync(folder),
    ...processesIn(folder).map(({ pid }) => `process ${pid}`),
  ];
  return {
    folder,
    left: async (waitMs = 20_000) => {
      await holdsWithin(waitMs, () => look().length === 0);
      return look();
    },
    close: async () => {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
