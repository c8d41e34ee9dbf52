/**
 * A dump, or rows exported as JSON lines, read once into shards, from which any thread can then be had whole. Easy to
 * get wrong: a dump without LangGraph's tables is the operator's mistake, one with empty tables is an answer.
 */
import { OperatorError } from '../failure/operator-error.ts';
import { asBuffer } from './byte-stream.ts';
import type { DumpTables } from './dump-tables.ts';
import { DumpText } from './dump-text.ts';
import { openDump, type DumpSource, type OpenDump } from './open-dump.ts';
import { RowLines } from './row-lines.ts';
import type { Block, LineChoice, SortedBlock } from './shards/block.ts';
import { ChunkPool } from './shards/chunk-pool.ts';
import { LayoutCollector, type SourceLayout } from './shards/shard-layout.ts';
import type { TablePlace } from './table-place.ts';
import { ShardWriter } from './shards/shard-writer.ts';
import { ShardStore, type ShardParts } from './shards/shard-store.ts';
import { BlockSorter } from './shards/sort-block.ts';

/** How a source is read. */
export interface ReadShardsOptions {
  /** Only these threads; null or absent: all. */
  readonly threads?: ReadonlySet<string> | null;
  /**
   * Values in lines up to this many bytes are kept although the analysis seldom reads them; 0: none. By default none
   * of a file that can be read a second time, and small ones of everything else.
   */
  readonly keptValueBytes?: number;
  /** Bytes of rows kept in memory; what is beyond goes to a temporary file. */
  readonly memoryBytes?: number;
  /** Read on after a fault, and tell it in {@link ShardedRows.faults}. */
  readonly keepGoing?: boolean;
  /** Sorts blocks elsewhere; here, when absent. */
  readonly sort?: (block: Block, choice: LineChoice) => Promise<SortedBlock>;
  /** Told after every chunk how many bytes of text were read, and what share of the file; null: not known. */
  readonly onProgress?: (bytes: number, share: number | null) => void;
  /** Reading ends with the signal's reason. */
  readonly stop?: AbortSignal;
}

/** Everything that was read. */
export interface ShardedRows {
  readonly layout: SourceLayout;
  /** The places whose tables were announced, also those without rows. */
  readonly places: readonly TablePlace[];
  /** What was wrong with the text as a whole, where reading went on. */
  readonly faults: readonly Error[];
  /** The rows of a shard; null when it has none. */
  parts(shard: number): ShardParts | null;
  /** Takes the memory of parts back, so that it is used again. */
  reuse(memory: ArrayBuffer): void;
  /** Bytes that did not fit into memory. */
  readonly spilledBytes: number;
  /** The file that is the text itself, in which values that were left out can be read again; null: none. */
  readonly file: string | null;
  /** Gives memory and temporary file back; also to be called when reading fails. */
  close(): void;
}

/** A value up to this size is kept where the source cannot be read a second time. */
const keptValueBytes = 64 << 10;

const defaultMemoryBytes = 1 << 30;

/**
 * Reads a source. *Cost*: one pass over the text; memory for the rows up to the budget, then disk. *Fails* with
 * OperatorError naming byte, line, table and row where there is one.
 */
export async function readShards(source: DumpSource, options: ReadShardsOptions = {}): Promise<ShardedRows> {
  const chunks = new ChunkPool();
  const opened = await openDump(source, chunks);
  const store = new ShardStore(options.memoryBytes ?? defaultMemoryBytes);
  const layout = new LayoutCollector();
  const faults: Error[] = [];
  try {
    const choice: LineChoice = {
      source: (sourcesRead += 1),
      threads: options.threads ?? null,
      keptValueBytes: options.keptValueBytes ?? (opened.file === null ? keptValueBytes : 0),
    };
    const sort = options.sort ?? sortHere();
    const writer = new ShardWriter((block) => sort(block, choice), store, layout, chunks);
    await readText(opened, writer, faults, options);
    if (!opened.tables.hasCheckpoints && faults.length === 0) throw noCheckpoints(opened);
    store.end();
  } catch (error) {
    store.close();
    throw error;
  }
  return {
    layout: layout.layout(opened.name),
    places: layout.places,
    faults,
    parts: (shard) => store.parts(shard),
    reuse: (memory) => {
      store.reuse(memory);
    },
    spilledBytes: store.spilledBytes,
    file: opened.file,
    close: () => {
      store.close();
    },
  };
}

async function readText(
  { name, form, text, tables, share }: OpenDump,
  writer: ShardWriter,
  faults: Error[],
  { keepGoing = false, onProgress, stop }: ReadShardsOptions,
): Promise<void> {
  const onFault = (error: Error): void => {
    if (!keepGoing) throw error;
    faults.push(error);
  };
  const reader =
    form === 'rows'
      ? new RowLines(name, writer, tables, onFault)
      : new DumpText(name, writer, tables, onFault);
  let read = 0;
  try {
    for await (const chunk of text) {
      const bytes = asBuffer(chunk);
      // The chunk may be sent away, and is then empty here.
      const { length } = bytes;
      try {
        stop?.throwIfAborted();
        reader.write(bytes);
      } finally {
        writer.chunkRead(bytes);
      }
      read += length;
      onProgress?.(read, share());
      await writer.room();
    }
  } catch (error) {
    // What cannot be read on is told like every other fault, after the rows that came before it.
    if (!(error instanceof OperatorError)) throw error;
    onFault(error);
  }
  if (faults.length === 0) reader.end();
  await writer.end();
}

/** Sorts on the thread that reads. */
function sortHere(): (block: Block, choice: LineChoice) => Promise<SortedBlock> {
  const sorter = new BlockSorter(0);
  return (block, choice) => Promise.resolve(sorter.sort(block, choice));
}

let sourcesRead = 0;

function noCheckpoints({ form, name, tables }: OpenDump): OperatorError {
  return form === 'rows' ? noLines(name) : noTable(name, tables);
}

function noLines(name: string): OperatorError {
  return new OperatorError({
    happened: 'the file holds no line of the table checkpoints',
    place: name,
    remedy: 'Export the checkpoints too; docs/rows-format.md says how.',
  });
}

function noTable(name: string, tables: DumpTables): OperatorError {
  const [stranger] = tables.strangers;
  const found =
    stranger === undefined
      ? 'no data of a table named checkpoints'
      : `a table ${stranger[0]}, but without the columns ${stranger[1].join(', ')} it is not LangGraph's`;
  return new OperatorError({
    happened: `the dump holds ${found}`,
    place: name,
    expected: 'the data of checkpoints, checkpoint_blobs and checkpoint_writes',
    remedy: 'Dump the database and schema that LangGraph’s saver writes to, without --schema-only.',
  });
}
