/**
 * A dump, or rows as JSON lines, as a source. Opening it reads it whole, because its tables stand one after the other;
 * what is wrong with the file therefore shows before anything is told.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { DumpSource } from '../dump/open-dump.ts';
import { readDump } from '../dump/read-dump.ts';
import { SortingStore } from './sorting-store.ts';
import type { Source, SourceFilter } from './source.ts';

/**
 * Opens a dump and reads it. `nodes`: whether the names of its nodes are wanted (with a log they are). *Cost*: one
 * pass; memory for all wanted rows. *Fails* with OperatorError as the dump reader does, and for an absent schema.
 */
export async function openDumpSource(
  dump: DumpSource,
  filter: SourceFilter,
  nodes: boolean,
): Promise<Source> {
  const name = dump.kind === 'file' ? dump.path : dump.name;
  const { threads, schema } = filter;
  const store = new SortingStore(filter, nodes);
  // A node may be named by the rows of any thread, so with a log no row can be skipped unread.
  const skips = threads !== null && !nodes;
  const wanted = skips ? { wantsThread: (thread: string) => threads.has(thread) } : {};
  const rows = readDump(dump, { store, ...wanted });
  const first = await rows.next();
  if (schema !== null && first.done === true && !store.holds(schema)) throw absentSchema(name, schema, store);
  return {
    name: { kind: 'dump', name },
    options: { rules: [] },
    elsewhere: store.elsewhere,
    nodes: store.nodes?.nodes ?? null,
    threads: () => evidence(first, rows),
  };
}

async function* evidence(
  first: IteratorResult<ThreadRows>,
  rest: AsyncGenerator<ThreadRows>,
): AsyncGenerator<ThreadEvidence> {
  if (first.done === true) return;
  yield { rows: first.value, log: null, runs: null };
  for await (const rows of rest) yield { rows, log: null, runs: null };
}

function absentSchema(name: string, schema: string, { schemas }: SortingStore): OperatorError {
  const known = schemas.filter((held) => held !== '');
  return new OperatorError({
    happened: `no schema ${schema} holds LangGraph's tables`,
    place: name,
    expected: known.length === 0 ? 'no --schema, because the rows name none' : `one of ${known.join(', ')}`,
    remedy: 'Give another --schema, or none for all.',
  });
}
