/**
 * A dump, or rows exported as JSON lines, as the rows of one thread at a time: the whole of this folder behind one
 * function. Easy to get wrong: a dump without LangGraph's tables is the operator's mistake, one with empty tables is
 * an answer.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { asBuffer } from './byte-stream.ts';
import { DumpText } from './dump-text.ts';
import type { DumpTables } from './dump-tables.ts';
import { openDump, type DumpSource } from './open-dump.ts';
import { RowDecoder, type RowChoice } from './row-decoder.ts';
import { RowLines } from './row-lines.ts';
import { memoryStore, type ThreadStore } from './thread-store.ts';

/** How a dump is read. */
export interface ReadDumpOptions extends RowChoice {
  /** Where rows wait until their thread is complete; in memory, when absent. */
  readonly store?: ThreadStore;
}

/**
 * Every thread of a dump, once each, in no promised order. The first comes when the whole dump was read, because its
 * tables stand one after the other. *Cost*: one pass over the text; memory as the store needs. *Fails* with
 * OperatorError, which names byte, line, table and row where there is one.
 */
export async function* readDump(
  source: DumpSource,
  options: ReadDumpOptions = {},
): AsyncGenerator<ThreadRows> {
  const { name, form, text, tables } = await openDump(source);
  const store = options.store ?? memoryStore();
  const reader =
    form === 'rows'
      ? new RowLines(name, options, store, tables)
      : new DumpText(name, new RowDecoder(options), store, tables);
  for await (const chunk of text) reader.write(asBuffer(chunk));
  reader.end();
  if (!tables.hasCheckpoints) throw form === 'rows' ? noLines(name) : noCheckpoints(name, tables);
  yield* store.threads();
}

function noLines(name: string): OperatorError {
  return new OperatorError({
    happened: 'the file holds no line of the table checkpoints',
    place: name,
    remedy: 'Export the checkpoints too; docs/rows-format.md says how.',
  });
}

function noCheckpoints(name: string, tables: DumpTables): OperatorError {
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
