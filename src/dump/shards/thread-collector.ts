/**
 * The rows of one hash, put together by schema and thread. Easy to get wrong: the shallow saver overwrites a channel's
 * one blob and keeps no version of it, so the version is the one that the namespace's one checkpoint names.
 */
import type { BlobRow, CheckpointRow, ThreadRows, WriteRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, Namespace, ThreadId } from '#analysis/model/identifiers.ts';
import { versionText } from '#analysis/rows/versions.ts';
import type { DecodedRow } from '../row-decoder.ts';
import type { PlaceLayout, SourceLayout } from './shard-layout.ts';
import type { OmittedRow, ShardThread, SkippedRow } from './shard-thread.ts';

interface Collected {
  readonly place: number;
  readonly thread: ThreadId;
  readonly checkpoints: CheckpointRow[];
  readonly blobs: BlobRow[];
  readonly writes: WriteRow[];
  readonly skipped: SkippedRow[];
  readonly omitted: OmittedRow[];
}

/** Collects the rows of a few threads. */
export class ThreadCollector {
  readonly #places: readonly PlaceLayout[];
  readonly #threads: Collected[] = [];
  #last: Collected | null = null;

  constructor({ places }: SourceLayout) {
    this.#places = places;
  }

  /** `omitted`: where the row's line stands, when its value was left out. */
  add(place: number, { table, row }: DecodedRow, omitted: Omit<OmittedRow, 'index'> | null): void {
    const thread = this.#of(place, row.thread);
    if (table === 'checkpoints') thread.checkpoints.push(row);
    else if (table === 'blobs') thread.blobs.push(row);
    else thread.writes.push(row);
    if (omitted === null) return;
    const index = (table === 'blobs' ? thread.blobs : thread.writes).length - 1;
    thread.omitted.push({ ...omitted, index });
  }

  /** A row that could not be read; `thread` may be a guess where the id itself is damaged. */
  skip(place: number, thread: string, skipped: SkippedRow): void {
    this.#of(place, thread as ThreadId).skipped.push(skipped);
  }

  /** What was collected; threads that share a hash come by name, then by schema. */
  threads(): readonly ShardThread[] {
    const threads = this.#threads.map(({ skipped, omitted, ...collected }) => ({
      rows: threadRows(collected, this.#places[collected.place]),
      place: collected.place,
      skipped,
      omitted,
    }));
    if (threads.length < 2) return threads;
    return threads.sort((a, b) =>
      a.rows.thread === b.rows.thread ? 0 : a.rows.thread < b.rows.thread ? -1 : 1,
    );
  }

  #of(place: number, thread: ThreadId): Collected {
    if (this.#last?.thread === thread && this.#last.place === place) return this.#last;
    let found = this.#threads.find((known) => known.thread === thread && known.place === place);
    if (found === undefined) {
      found = { place, thread, checkpoints: [], blobs: [], writes: [], skipped: [], omitted: [] };
      this.#threads.push(found);
    }
    this.#last = found;
    return found;
  }
}

function threadRows(
  { thread, checkpoints, blobs, writes }: Pick<Collected, 'thread' | 'checkpoints' | 'blobs' | 'writes'>,
  place: PlaceLayout | undefined,
): ThreadRows {
  const kinds = place?.kinds;
  const isShallow = place?.isShallow === true;
  return {
    thread,
    schema: place?.label ?? null,
    checkpoints,
    blobs: kinds?.has('blobs') === true ? (isShallow ? versioned(checkpoints, blobs) : blobs) : null,
    writes: kinds?.has('writes') === true ? writes : null,
    ...(isShallow ? { shallow: true } : {}),
  };
}

function versioned(checkpoints: readonly CheckpointRow[], blobs: readonly BlobRow[]): readonly BlobRow[] {
  const current = new Map<Namespace, CheckpointRow>(checkpoints.map((row) => [row.namespace, row]));
  const versionOf = (namespace: Namespace, channel: ChannelName): string => {
    const version = current.get(namespace)?.channelVersions.get(channel);
    return version === undefined ? '' : versionText(version);
  };
  return blobs.map((blob) => ({ ...blob, version: versionOf(blob.namespace, blob.channel) }));
}
