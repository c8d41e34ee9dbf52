/**
 * What do the primary and its watchdog say to each other? Lines of JSON over the watchdog's own pipes, since arguments
 * and environments of processes can be read by others and a `drop-schema` carries a password. Easy to get wrong: the
 * last line may be cut off when the primary dies while writing; the primary had not gone on then, so nothing was done
 * that depends on it, and it is dropped.
 */
import type { ProcessIdentity } from './process-identity.ts';
import { seriesSchema, type SeriesSchema } from './series-schema-name.ts';

/** One thing to undo if the primary dies. */
export type Cleanup =
  | { readonly kind: 'kill-process'; readonly process: ProcessIdentity }
  /** The process leads its group; both go. */
  | { readonly kind: 'kill-group'; readonly leader: ProcessIdentity }
  | { readonly kind: 'drop-schema'; readonly dsn: string; readonly schema: SeriesSchema }
  | { readonly kind: 'stop-postgres'; readonly postmaster: ProcessIdentity; readonly dataFolder: string }
  | { readonly kind: 'remove-folder'; readonly folder: string };

/**
 * The order in which cleanups are done, whatever the order they were registered in: who could still write goes first,
 * a schema before the server it needs, files last.
 */
export const cleanupOrder: readonly Cleanup['kind'][] = [
  'kill-process',
  'kill-group',
  'drop-schema',
  'stop-postgres',
  'remove-folder',
];

/** From the primary. `close` says that the end of the pipe, which follows, is meant. */
export type Instruction =
  | { readonly do: 'register'; readonly id: number; readonly cleanup: Cleanup }
  | { readonly do: 'release'; readonly id: number }
  | { readonly do: 'close' };

/** From the watchdog, while the primary closes it: a cleanup failed, with the reason. */
export interface Failure {
  readonly because: string;
}

/** One line, without its line feed. */
export function encodeLine(message: Instruction | Failure): string {
  return JSON.stringify(message);
}

/** Reads one line from the primary; null when it is not an instruction. */
export function decodeInstruction(line: string): Instruction | null {
  const message = parseObject(line);
  if (message === null) return null;
  const id = message['id'];
  switch (message['do']) {
    case 'close':
      return { do: 'close' };
    case 'release':
      return typeof id === 'number' ? { do: 'release', id } : null;
    case 'register': {
      const cleanup = decodeCleanup(message['cleanup']);
      return typeof id === 'number' && cleanup !== null ? { do: 'register', id, cleanup } : null;
    }
    default:
      return null;
  }
}

/** Reads one line from the watchdog; null when it is not a failure. */
export function decodeFailure(line: string): Failure | null {
  const because = parseObject(line)?.['because'];
  return typeof because === 'string' ? { because } : null;
}

function decodeCleanup(value: unknown): Cleanup | null {
  if (!isObject(value)) return null;
  const text = (name: string): string | null => {
    const field = value[name];
    return typeof field === 'string' ? field : null;
  };
  switch (value['kind']) {
    case 'kill-process': {
      const process = decodeProcess(value['process']);
      return process && { kind: 'kill-process', process };
    }
    case 'kill-group': {
      const leader = decodeProcess(value['leader']);
      return leader && { kind: 'kill-group', leader };
    }
    case 'drop-schema': {
      const [dsn, schema] = [text('dsn'), seriesSchema(text('schema') ?? '')];
      return dsn === null || schema === null ? null : { kind: 'drop-schema', dsn, schema };
    }
    case 'stop-postgres': {
      const [postmaster, dataFolder] = [decodeProcess(value['postmaster']), text('dataFolder')];
      if (postmaster === null || dataFolder === null) return null;
      return { kind: 'stop-postgres', postmaster, dataFolder };
    }
    case 'remove-folder': {
      const folder = text('folder');
      return folder === null ? null : { kind: 'remove-folder', folder };
    }
    default:
      return null;
  }
}

/** Pids below 2 are never registered; as a target of a signal, 0, 1 and negative numbers mean far more than one process. */
function decodeProcess(value: unknown): ProcessIdentity | null {
  if (!isObject(value)) return null;
  const { pid, startTicks } = value;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 2) return null;
  return startTicks === null || typeof startTicks === 'string' ? { pid, startTicks } : null;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
