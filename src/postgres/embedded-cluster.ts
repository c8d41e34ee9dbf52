/**
 * How is an empty database cluster made? By `initdb`, as the server's user, into the run folder. Easy to get wrong:
 * the password must not stand in an argument, which every user of the machine can read, so it goes through a file that
 * only the server's user can read and that is removed at once.
 */
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '#src/failure/operator-error.ts';
import { programPath, type ServerBinaries } from './embedded-binaries.ts';
import { describeEnd, startWatched, type ProcessEnd, type UserIds } from './gated-process.ts';
import { logTail } from './server-log.ts';
import type { Watchdog } from './watchdog.ts';

/** What a cluster is made of. */
export interface ClusterPlan {
  readonly binaries: ServerBinaries;
  readonly runFolder: string;
  readonly asUser: UserIds | null;
  readonly watchdog: Watchdog;
  /** The role that owns everything, and its password. */
  readonly user: string;
  readonly password: string;
}

/**
 * Makes a cluster and returns its data folder. Cost: about 1 s of one CPU and 40 MB.
 * Fails with an `OperatorError` that holds the last lines of initdb.
 */
export async function createCluster(plan: ClusterPlan): Promise<string> {
  const dataFolder = path.join(plan.runFolder, 'data');
  await mkdir(dataFolder);
  await giveTo(plan.asUser, dataFolder, 0o700);
  const passwordFile = path.join(plan.runFolder, 'password');
  await writeFile(passwordFile, `${plan.password}\n`, { mode: 0o600 });
  await giveTo(plan.asUser, passwordFile, 0o600);

  const outputFile = path.join(plan.runFolder, 'initdb.log');
  const command = {
    program: programPath(plan.binaries, 'initdb'),
    args: [
      `--pgdata=${dataFolder}`,
      `--username=${plan.user}`,
      `--pwfile=${passwordFile}`,
      '--auth-host=scram-sha-256',
      // Through the socket file, which lies in the data folder: whoever can enter it may do as the server's user.
      '--auth-local=trust',
      // Byte order: the order in which LangGraph's ORDER BY checkpoint_id means "newest", on every machine alike.
      '--locale=C',
      '--encoding=UTF8',
      // What a crash of the machine could lose is thrown away anyway.
      '--no-sync',
      '--no-instructions',
    ],
    folder: plan.runFolder,
    outputFile,
    asUser: plan.asUser,
  };
  // Its children (a bootstrapping postgres) stay in its process group.
  const initdb = await startWatched(command, (leader) =>
    plan.watchdog.register({ kind: 'kill-group', leader }),
  );
  const end = await initdb.ended;
  initdb.registration.release();
  await rm(passwordFile);
  if (end.exitCode !== 0) throw await initdbFailed(end, programPath(plan.binaries, 'initdb'), outputFile);
  return dataFolder;
}

async function giveTo(user: UserIds | null, at: string, mode: number): Promise<void> {
  await chmod(at, mode); // after the fact, since the umask takes bits away from modes given at creation
  if (user !== null) await chown(at, user.uid, user.gid);
}

/** What a shell says when it may not, or cannot, become the program. */
const shellStatus = { notExecutable: 126, notFound: 127 } as const;

async function initdbFailed(end: ProcessEnd, program: string, outputFile: string): Promise<OperatorError> {
  const cannotExecute = end.exitCode === shellStatus.notExecutable || end.exitCode === shellStatus.notFound;
  return new OperatorError({
    happened: `initdb ${describeEnd(end)}, after: ${await logTail(outputFile)}`,
    place: program,
    remedy: cannotExecute
      ? 'The temporary folder may be mounted noexec (set TMPDIR to another one), or the system may lack the C library the programs are built for (musl); --db names a server instead.'
      : 'Read its last lines; the usual cause is a full disk. TMPDIR names another folder, --db another server.',
  });
}
