/**
 * Where do a server's files live while it runs, and how do they go away? A folder of its own under the temporary
 * folder. Easy to get wrong: as root the server runs as another user, who must be able to enter every folder above
 * it; so modes are set with chmod (the umask cannot take them away), and a private TMPDIR is passed over.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { invariant } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { codeOf } from './sqlstate.ts';
import { killAllIn } from './stop-process.ts';

/** Every run folder's name begins so, and nothing else is ever removed. */
export const runFolderPrefix = 'forkscope-pg-';

/** The path of a run folder that does not exist yet; see {@link createRunFolder}. */
export function newRunFolderPath(temporaryFolder: string): string {
  return path.join(temporaryFolder, `${runFolderPrefix}${randomBytes(8).toString('hex')}`);
}

/**
 * Creates a run folder. `forOtherUser`: another user may pass through it, though not list it.
 * Fails with an `OperatorError` when it cannot be created.
 */
export async function createRunFolder(folder: string, forOtherUser: boolean): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await chmod(folder, forOtherUser ? 0o711 : 0o700);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === null) throw cause;
    throw new OperatorError({
      happened: `the folder for the server's files cannot be created [${code}]`,
      place: folder,
      remedy: 'Free some space there, or set TMPDIR to a folder that can be written.',
      cause,
    });
  }
}

/**
 * Kills what still works in a run folder, then removes it; a folder that is not there is no error.
 * Rejects when something remains.
 */
export async function removeRunFolder(folder: string): Promise<void> {
  invariant(
    path.isAbsolute(folder) && path.basename(folder).startsWith(runFolderPrefix),
    'only run folders are ever removed',
  );
  await killAllIn(folder, 5_000);
  // A process that was just killed may have created a last file while its folder was being emptied.
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/**
 * The temporary folder to use, links resolved: the system's, unless `mustBeEntered` says that a user other than this
 * one has to pass through and cannot. Fails with an `OperatorError` when no folder will do.
 */
export async function chooseTemporaryFolder(mustBeEntered: boolean): Promise<string> {
  const wanted = path.resolve(tmpdir());
  const candidates = mustBeEntered ? [wanted, '/tmp', '/var/tmp'] : [wanted];
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => null);
    if (real !== null && (!mustBeEntered || (await othersCanEnter(real)))) return real;
  }
  throw new OperatorError({
    happened: 'there is no temporary folder that the server can use',
    place: wanted,
    ...(mustBeEntered ? { expected: 'mode o+x on it and on every folder above it' } : {}),
    remedy: mustBeEntered
      ? 'Postgres refuses to run as root, so another user must pass: set TMPDIR to such a folder, run forkscope as an ordinary user, or name a server with --db.'
      : 'Set TMPDIR to a folder that exists.',
  });
}

/** Whether the mode bits let every user pass through `folder` and all folders above it. Give a path without links. */
export async function othersCanEnter(folder: string): Promise<boolean> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await stat(at).catch(() => null);
    if (found === null || !found.isDirectory() || (found.mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}
