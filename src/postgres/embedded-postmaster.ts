/**
 * How is `postgres` itself started on a cluster, and stopped? Easy to get wrong: between the choice of a free port and
 * the server's bind somebody else may take it; the server then ends, and another port is tried.
 */
import path from 'node:path';
import { invariant } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import type { ClusterPlan } from './embedded-cluster.ts';
import { programPath } from './embedded-binaries.ts';
import { describeEnd, startWatched, type WatchedProcess } from './gated-process.ts';
import { logTail } from './server-log.ts';
import { waitUntilReady } from './server-readiness.ts';
import { stopPostgres } from './stop-process.ts';

/** What a postmaster is started with. */
export interface PostmasterPlan extends ClusterPlan {
  readonly dataFolder: string;
  readonly readyTimeoutMs: number;
  readonly choosePort: () => Promise<number>;
}

/** A server that accepts connections. */
export interface Postmaster {
  readonly pid: number;
  readonly dsn: string;
  /** The same server through its socket file; equal to `dsn` where the file's path would be too long. */
  readonly localDsn: string;
  readonly serverVersion: string;
  readonly maxConnections: number;
  /** Aborted with an `OperatorError` when it ends before `stop`. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

/** Room for 8 workers with pools of 20 and the primary's own; each costs the server some 15 kB until it is used. */
const maxConnections = 200;

/** Several ports in a row taken by chance is unlikely; more means that something else is wrong. */
const portAttempts = 5;

const settings: readonly string[] = [
  'listen_addresses=127.0.0.1',
  `max_connections=${maxConnections}`,
  // fsync decides what survives a crash of the operating system, not what other sessions see: a commit becomes visible
  // in shared memory after its record is handed to the kernel, with fsync as without, and locks, snapshots and
  // constraints never touch the disk. synchronous_commit stays on. What does change is the time a commit takes, which
  // is then that of a very fast disk; a server of one's own (--db) shows one's own disk.
  'fsync=off',
  // Whole pages in the log serve crash recovery only, and this data folder is never recovered.
  'full_page_writes=off',
  // The default keeps segments in /dev/shm, where they would outlive a server that is killed.
  'dynamic_shared_memory_type=mmap',
  // Bounds the disk a long series takes.
  'max_wal_size=256MB',
  // A series is over before statistics matter, and compiling its small queries costs more than running them.
  'autovacuum=off',
  'jit=off',
  'cluster_name=forkscope',
];

/** Starts `postgres` on a cluster. Fails with an `OperatorError` that holds the end of its log; nothing runs then. */
export async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = await plan.choosePort();
    const logFile = path.join(plan.runFolder, `server-${attempt}.log`);
    const started = await tryPort(plan, port, logFile);
    if (started.kind === 'ready') return started.postmaster;
    if (started.kind === 'port-taken' && attempt < portAttempts) continue;
    const happened =
      started.kind === 'port-taken'
        ? `${portAttempts} ports were taken before the server could use them`
        : started.because;
    throw new OperatorError({
      happened: `the embedded Postgres did not start: ${happened}; its last words: ${await logTail(logFile)}`,
      place: `${programPath(plan.binaries, 'postgres')}, 127.0.0.1:${port}`,
      remedy: 'Read its last words; a server of your own can be named with --db.',
    });
  }
}

type Attempt =
  | { readonly kind: 'ready'; readonly postmaster: Postmaster }
  | { readonly kind: 'port-taken' }
  | { readonly kind: 'failed'; readonly because: string };

async function tryPort(plan: PostmasterPlan, port: number, logFile: string): Promise<Attempt> {
  const { dataFolder } = plan;
  const command = {
    program: programPath(plan.binaries, 'postgres'),
    args: [
      '-D',
      dataFolder,
      '-p',
      String(port),
      ...[...settings, socketSetting(dataFolder)].flatMap(asOption),
    ],
    folder: plan.runFolder,
    outputFile: logFile,
    asUser: plan.asUser,
  };
  const server = await startWatched(command, (postmaster) =>
    plan.watchdog.register({ kind: 'stop-postgres', postmaster, dataFolder }),
  );
  const dsn = `postgres://${plan.user}:${plan.password}@127.0.0.1:${port}/postgres`;
  const ready = await waitUntilReady(dsn, server.ended, plan.readyTimeoutMs);
  if (ready.kind === 'ready') {
    const localDsn = fitsSocket(dataFolder)
      ? `postgres://${plan.user}@/postgres?host=${encodeURIComponent(dataFolder)}&port=${port}`
      : dsn;
    return {
      kind: 'ready',
      postmaster: supervise(server, { dsn, localDsn }, ready.version, dataFolder, logFile),
    };
  }
  await stopPostgres(server.identity, dataFolder);
  server.registration.release();
  if (ready.kind === 'timeout') {
    return {
      kind: 'failed',
      because: `no client was let in within ${plan.readyTimeoutMs} ms (${ready.last})`,
    };
  }
  const taken = ready.end.exitCode === 1 && (await logTail(logFile)).includes('Address already in use');
  return taken ? { kind: 'port-taken' } : { kind: 'failed', because: `it ${describeEnd(ready.end)}` };
}

const asOption = (setting: string): readonly string[] => ['-c', setting];

/**
 * A socket file costs both ends about a third less than loopback. It lies in the data folder, which only the server's
 * user (and root) can enter; that, and no password, is what keeps others out.
 */
function socketSetting(dataFolder: string): string {
  return `unix_socket_directories=${fitsSocket(dataFolder) ? dataFolder : ''}`;
}

/**
 * The path of a socket has 107 bytes at most (sun_path), and the server appends `/.s.PGSQL.<port>`. The setting is a
 * list of folders, so one with a comma or a quote in its name would need quoting that few servers have ever seen.
 */
function fitsSocket(folder: string): boolean {
  return (
    process.platform !== 'win32' &&
    !/[,"']/.test(folder) &&
    Buffer.byteLength(folder) <= 107 - '/.s.PGSQL.65535'.length
  );
}

function supervise(
  server: WatchedProcess,
  { dsn, localDsn }: { readonly dsn: string; readonly localDsn: string },
  serverVersion: string,
  dataFolder: string,
  logFile: string,
): Postmaster {
  const lost = new AbortController();
  let stopping = false;
  void server.ended.then(async (end) => {
    if (stopping) return;
    lost.abort(
      new OperatorError({
        happened: `the embedded Postgres ${describeEnd(end)}; its last words: ${await logTail(logFile)}`,
        place: `process ${server.identity.pid}`,
        remedy: 'Run again; if it happens again, look for what ends processes here (memory limits, for one).',
      }),
    );
  });
  return {
    pid: server.identity.pid,
    dsn,
    localDsn,
    serverVersion,
    maxConnections,
    lost: lost.signal,
    stop: async () => {
      stopping = true;
      const gone = await stopPostgres(server.identity, dataFolder);
      invariant(gone, 'no process outlives SIGKILL for seconds');
      server.registration.release();
    },
  };
}
