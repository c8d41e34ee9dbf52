/**
 * How is each registered thing undone? Every cleanup is harmless when there is nothing left to undo, since the primary
 * may have died between undoing it and saying so.
 */
import { assertNever } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { removeRunFolder } from './run-folder.ts';
import { killProcess, stopPostgres } from './stop-process.ts';
import { cleanupOrder, type Cleanup } from './watchdog-protocol.ts';

/** How long a killed process may take to disappear. */
const killMs = 5_000;

/**
 * Does all of them, in {@link cleanupOrder}, and goes on after a failure. Returns the failures as sentences.
 * Cost: bounded; every step has a deadline of its own.
 */
export async function cleanUp(cleanups: readonly Cleanup[]): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const kind of cleanupOrder) {
    const ofKind = cleanups.filter((cleanup) => cleanup.kind === kind);
    const results = await Promise.allSettled(ofKind.map(undo));
    for (const result of results) {
      if (result.status === 'rejected') failures.push(textOf(result.reason));
    }
  }
  return failures;
}

async function undo(cleanup: Cleanup): Promise<void> {
  switch (cleanup.kind) {
    case 'kill-process':
      insist(await killProcess(cleanup.process, 'process', killMs), `process ${cleanup.process.pid}`);
      break;
    case 'kill-group':
      insist(await killProcess(cleanup.leader, 'group', killMs), `process ${cleanup.leader.pid}`);
      break;
    case 'stop-postgres': {
      const { postmaster, dataFolder } = cleanup;
      insist(await stopPostgres(postmaster, dataFolder), `Postgres, process ${postmaster.pid}`);
      break;
    }
    case 'drop-schema': {
      // The driver takes longer to load than everything else here together, and is rarely needed.
      const { dropSchema } = await import('./drop-schema.ts');
      await dropSchema(cleanup.dsn, cleanup.schema);
      break;
    }
    case 'remove-folder':
      await removeRunFolder(cleanup.folder);
      break;
    default:
      assertNever(cleanup);
  }
}

function insist(gone: boolean, what: string): void {
  if (gone) return;
  throw new OperatorError({
    happened: 'it still runs after SIGKILL',
    place: what,
    remedy: 'Look at its state with ps; the kernel may be waiting for a disk.',
  });
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
