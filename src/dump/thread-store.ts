/**
 * Rows come table by table, the analysis wants them thread by thread: this is where they wait. Easy to get wrong: a
 * table that the dump does not hold is not an empty table, and one thread id in two schemas is two threads.
 */
import type { BlobRow, CheckpointRow, ThreadRows, WriteRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, Namespace, ThreadId } from '#analysis/model/identifiers.ts';
import { versionText } from '#analysis/rows/versions.ts';
import type { DecodedRow } from './row-decoder.ts';
import type { TableKind } from './table-layout.ts';

/** Where a table stands: several databases (pg_dumpall) and several schemas may each hold a set of the tables. */
export interface TablePlace {
  readonly database: string | null;
  readonly schema: string;
}

/**
 * Takes rows in any order and gives them back by thread. The one kept here holds everything in memory; one that
 * spills to disk has the same face, and no caller may rely on the order in which threads come.
 */
export interface ThreadStore {
  /** The source holds the data of this table, if only no rows. */
  addTable(place: TablePlace, kind: TableKind, isShallow: boolean): void;
  add(place: TablePlace, row: DecodedRow): void;
  /** Every thread that has a row, once. May be called once, after the last `add`. */
  threads(): AsyncIterable<ThreadRows>;
}

interface WaitingThread {
  readonly checkpoints: CheckpointRow[];
  readonly blobs: BlobRow[];
  readonly writes: WriteRow[];
}

interface TableSet {
  readonly place: TablePlace;
  readonly kinds: Set<TableKind>;
  isShallow: boolean;
  readonly threads: Map<ThreadId, WaitingThread>;
}

/** A store that keeps all rows in memory: several times the size of the tables' data. */
export function memoryStore(): ThreadStore {
  const sets = new Map<string, TableSet>();
  const setAt = (place: TablePlace): TableSet => {
    const key = JSON.stringify([place.database, place.schema]);
    let set = sets.get(key);
    if (set === undefined) {
      set = { place, kinds: new Set(), isShallow: false, threads: new Map() };
      sets.set(key, set);
    }
    return set;
  };
  return {
    addTable(place, kind, isShallow) {
      const set = setAt(place);
      set.kinds.add(kind);
      set.isShallow ||= isShallow;
    },
    add(place, { table, row }) {
      const { threads } = setAt(place);
      let thread = threads.get(row.thread);
      if (thread === undefined) {
        thread = { checkpoints: [], blobs: [], writes: [] };
        threads.set(row.thread, thread);
      }
      if (table === 'checkpoints') thread.checkpoints.push(row);
      else if (table === 'blobs') thread.blobs.push(row);
      else thread.writes.push(row);
    },
    async *threads() {
      const filled = [...sets.values()].filter((set) => set.threads.size > 0);
      for (const set of filled) {
        const schema = schemaLabel(set.place, filled);
        for (const [thread, rows] of set.threads) {
          // What has been handed out is the caller's; the memory of the rest is freed as threads are read.
          set.threads.delete(thread);
          yield await Promise.resolve(threadRows(thread, schema, rows, set));
        }
      }
    },
  };
}

/** Null when all rows come from one place, so that reports of ordinary dumps do not repeat `public`. */
function schemaLabel(place: TablePlace, filled: readonly TableSet[]): string | null {
  if (filled.length < 2) return null;
  const isOneDatabase = filled.every((set) => set.place.database === place.database);
  return isOneDatabase || place.database === null ? place.schema : `${place.database}.${place.schema}`;
}

function threadRows(
  thread: ThreadId,
  schema: string | null,
  rows: WaitingThread,
  { kinds, isShallow }: TableSet,
): ThreadRows {
  const { checkpoints, writes } = rows;
  const blobs = isShallow ? versioned(rows) : rows.blobs;
  return {
    thread,
    schema,
    checkpoints,
    blobs: kinds.has('blobs') ? blobs : null,
    writes: kinds.has('writes') ? writes : null,
    ...(isShallow ? { shallow: true } : {}),
  };
}

/** The shallow saver overwrites a channel's one blob: its version is the one the namespace's one checkpoint names. */
function versioned({ checkpoints, blobs }: WaitingThread): readonly BlobRow[] {
  const current = new Map<Namespace, CheckpointRow>(checkpoints.map((row) => [row.namespace, row]));
  const versionOf = (namespace: Namespace, channel: ChannelName): string => {
    const version = current.get(namespace)?.channelVersions.get(channel);
    return version === undefined ? '' : versionText(version);
  };
  return blobs.map((blob) => ({ ...blob, version: versionOf(blob.namespace, blob.channel) }));
}
