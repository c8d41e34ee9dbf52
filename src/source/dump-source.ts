/**
 * A dump, or rows as JSON lines, as a source. Opening it reads it whole, because its tables stand one after the other.
 * Easy to get wrong: which names are nodes is known only after every row was decoded, so with a log rows are decoded
 * twice.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { DumpSource } from '../dump/open-dump.ts';
import { readShards, type ReadShardsOptions, type ShardedRows } from '../dump/read-shards.ts';
import { placeName, type TablePlace } from '../dump/table-place.ts';
import { shardCount } from '../dump/shards/thread-hash.ts';
import { hasBranches } from './branches.ts';
import { RowNodes } from './row-nodes.ts';
import { wantedThreads, type ShardNotes, type ShardTask } from './shard-threads.ts';
import { SkippedRows } from './skipped-rows.ts';
import type { Source, SourceFilter } from './source.ts';

/** How a dump is read. */
export interface DumpReading extends Omit<ReadShardsOptions, 'threads'> {
  /** Whether the names of its nodes are wanted; with a log they are. */
  readonly nodes: boolean;
}

/**
 * Opens a dump and reads it. *Cost*: one pass; memory up to the budget. *Fails* with OperatorError as the dump reader
 * does, and for an absent schema. The source is to be closed.
 */
export async function openDumpSource(
  dump: DumpSource,
  filter: SourceFilter,
  { nodes, ...reading }: DumpReading,
): Promise<Source> {
  const name = dump.kind === 'file' ? dump.path : dump.name;
  const { threads, schema } = filter;
  // A node may be named by the rows of any thread, so with a log no row can be left out unread.
  const sharded = await readShards(dump, { ...reading, threads: nodes ? null : threads });
  try {
    const places = schema === null ? null : placesOf(sharded.places, schema);
    if (schema !== null && places?.size === 0) throw absentSchema(name, schema, sharded);
    const tasks = (): Iterable<ShardTask> => shardTasks(sharded, filter, places, reading.keepGoing === true);
    const notes: ShardNotes = { elsewhere: new Set(), skipped: new SkippedRows() };
    const own = (): AsyncGenerator<ThreadEvidence> => evidence(tasks(), notes);
    return {
      name: { kind: 'dump', name },
      options: { rules: [] },
      elsewhere: notes.elsewhere,
      nodes: nodes ? nodeNames(tasks()) : null,
      threads: own,
      shards: {
        replaces: own,
        tasks,
        reuse: (memory) => {
          sharded.reuse(memory);
        },
      },
      faults: sharded.faults,
      skipped: notes.skipped,
      close: () => {
        sharded.close();
      },
    };
  } catch (error) {
    sharded.close();
    throw error;
  }
}

function* shardTasks(
  sharded: ShardedRows,
  { threads, schema }: SourceFilter,
  places: ReadonlySet<number> | null,
  keepGoing: boolean,
): Generator<ShardTask> {
  const { layout, file } = sharded;
  for (let shard = 0; shard < shardCount; shard += 1) {
    const parts = sharded.parts(shard);
    if (parts !== null) yield { parts, layout, places, schema, threads, keepGoing, file };
  }
}

async function* evidence(tasks: Iterable<ShardTask>, notes: ShardNotes): AsyncGenerator<ThreadEvidence> {
  for (const task of tasks) {
    for (const { rows, complete } of wantedThreads(task, notes)) {
      // Only where branches met can it matter whose value a blob kept.
      const whole = complete !== null && hasBranches(rows.checkpoints) ? complete() : rows;
      yield await Promise.resolve({ rows: whole, log: null, runs: null });
    }
  }
}

/** Of every thread of the wanted places, wanted or not. */
function nodeNames(tasks: Iterable<ShardTask>): RowNodes['nodes'] {
  const names = new RowNodes();
  const unheard: ShardNotes = { elsewhere: new Set(), skipped: new SkippedRows() };
  for (const task of tasks) {
    for (const { rows } of wantedThreads({ ...task, threads: null }, unheard)) addNodes(names, rows);
  }
  return names.nodes;
}

function addNodes(names: RowNodes, { checkpoints, blobs, writes }: ThreadRows): void {
  for (const row of checkpoints) names.add({ table: 'checkpoints', row });
  for (const row of blobs ?? []) names.add({ table: 'blobs', row });
  for (const row of writes ?? []) names.add({ table: 'writes', row });
}

function placesOf(places: readonly TablePlace[], schema: string): ReadonlySet<number> {
  return new Set(
    [...places.entries()]
      .filter(([, place]) => place.schema === schema || placeName(place) === schema)
      .map(([index]) => index),
  );
}

function absentSchema(name: string, schema: string, { places }: ShardedRows): OperatorError {
  const known = [...new Set(places.map(placeName))].sort().filter((held) => held !== '');
  return new OperatorError({
    happened: `no schema ${schema} holds LangGraph's tables`,
    place: name,
    expected: known.length === 0 ? 'no --schema, because the rows name none' : `one of ${known.join(', ')}`,
    remedy: 'Give another --schema, or none for all.',
  });
}
