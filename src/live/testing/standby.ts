/**
 * For tests: a primary and a standby that follows it by streaming, both of the embedded programs. Easy to get wrong: a
 * data folder may be copied while its server works only between the two backup calls, in one session.
 */
import { chmod, cp, mkdir, readdir, rm, writeFile, lchown } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { canRunInPlace, copyBinaries, installedBinaries } from '../../postgres/embedded-binaries.ts';
import { createCluster } from '../../postgres/embedded-cluster.ts';
import { startPostmaster, type Postmaster } from '../../postgres/embedded-postmaster.ts';
import { parseDsn } from '../../postgres/dsn.ts';
import {
  chooseTemporaryFolder,
  createRunFolder,
  newRunFolderPath,
  removeRunFolder,
} from '../../postgres/run-folder.ts';
import { serverUser } from '../../postgres/unprivileged-user.ts';
import type { Watchdog } from '../../postgres/watchdog.ts';
import { withClient } from '../../postgres/with-client.ts';

/** Two servers. */
export interface StandbyPair {
  readonly primary: string;
  readonly standby: string;
  /** Waits until the standby has everything the primary has now. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the pair. *Cost*: three seconds. */
export async function startStandbyPair(watchdog: Watchdog): Promise<StandbyPair> {
  const asUser = await serverUser();
  const runFolder = newRunFolderPath(await chooseTemporaryFolder(asUser !== null));
  const folder = await watchdog.register({ kind: 'remove-folder', folder: runFolder });
  await createRunFolder(runFolder, asUser !== null);
  const installed = installedBinaries();
  const inPlace = asUser === null && (await canRunInPlace(installed));
  const binaries = inPlace ? installed : await copyBinaries(installed, join(runFolder, 'native'));
  const common = {
    binaries,
    asUser,
    watchdog,
    user: 'forkscope',
    password: randomBytes(12).toString('hex'),
    readyTimeoutMs: 30_000,
    choosePort: () => getPort({ host: '127.0.0.1' }),
  };
  const dataFolder = await createCluster({ ...common, runFolder });
  const primary = await startPostmaster({ ...common, runFolder, dataFolder });
  const place = join(runFolder, 'standby');
  await mkdir(place);
  await chmod(place, 0o711);
  const copy = join(place, 'data');
  await withClient(primary.dsn, async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    await cp(dataFolder, copy, { recursive: true, filter: isCopied });
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    );
    await writeFile(join(copy, 'backup_label'), rows[0]?.label ?? '');
  });
  await writeFile(join(copy, 'standby.signal'), '');
  const { port } = parseDsn(primary.dsn) ?? {};
  const source = `host=127.0.0.1 port=${String(port)} user=${common.user} password=${common.password}`;
  await writeFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  if (asUser !== null) {
    for (const name of ['', ...(await readdir(copy, { recursive: true }))]) {
      await lchown(join(copy, name), asUser.uid, asUser.gid);
    }
  }
  await chmod(copy, 0o700);
  const standby = await startPostmaster({ ...common, runFolder: place, dataFolder: copy });
  return {
    primary: primary.dsn,
    standby: standby.dsn,
    caughtUp: () => caughtUp(primary, standby),
    stop: async () => {
      await standby.stop();
      await primary.stop();
      await rm(place, { recursive: true });
      await removeRunFolder(runFolder);
      folder.release();
    },
  };
}

/** The primary's own process files and sockets would keep the copy from starting. */
function isCopied(path: string): boolean {
  return !/\/(?:postmaster\.(?:pid|opts)|\.s\.PGSQL\.[^/]*)$/.test(path);
}

async function caughtUp(primary: Postmaster, standby: Postmaster): Promise<void> {
  const position = await withClient(primary.dsn, async (client) => {
    const { rows } = await client.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    return rows[0]?.lsn;
  });
  for (let has = false; !has;) {
    has = await withClient(standby.dsn, async (client) => {
      const { rows } = await client.query<{ has: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1 AS has', [
        position,
      ]);
      return rows[0]?.has === true;
    });
    if (!has) await delay(20);
  }
}
