/**
 * Which partitions do LangGraph's tables have, by the definitions in an archive? Easy to get wrong: a partition's data
 * stands under its own name, so whoever asks pg_restore for `checkpoints` alone gets none of it.
 */
import { asBuffer, type ByteStream } from './byte-stream.ts';
import { DumpText } from './dump-text.ts';
import type { DumpTables } from './dump-tables.ts';
import { noRows } from './row-sink.ts';
import { wantedTables } from './table-layout.ts';

/** Bare names of the partitions, read from `definitions` (a dump's text without data); `tables` learns them. */
export async function partitionTables(
  name: string,
  definitions: ByteStream,
  tables: DumpTables,
): Promise<readonly string[]> {
  const text = new DumpText(name, noRows, tables);
  for await (const chunk of definitions) text.write(asBuffer(chunk));
  text.end();
  return tables.partitionsOf(wantedTables);
}
