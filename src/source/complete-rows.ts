/**
 * A thread's rows with the values that were left out at first, also where such a value turns out to be damaged. Easy to
 * get wrong: these lines are read long after all others, so what is wrong with one is met here and nowhere else; and what stands
 * at a row's place in the text may be an INSERT.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { DecodeError } from '#analysis/rows/decode-error.ts';
import type { SecondLook } from '../dump/shards/second-look.ts';
import type { SourceLayout } from '../dump/shards/shard-layout.ts';
import type { OmittedRow, ShardThread } from '../dump/shards/shard-thread.ts';
import { RowFault } from '../dump/text-field.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { insertedRow, type ValueRow } from './inserted-row.ts';

/** Rows, and the values that stayed unread because they are damaged: place and reason of each. */
export interface CompletedRows {
  readonly rows: ThreadRows;
  readonly damaged: readonly { readonly table: string; readonly told: string }[];
}

/**
 * Reads the values that were left out. `file` is what `look` looks into. *Cost*: one read a row, two or three where
 * rows come from INSERTs or one is damaged. *Fails* with OperatorError at the first damaged one unless it keeps going.
 */
export function completeRows(
  look: SecondLook,
  { rows, omitted }: Pick<ShardThread, 'rows' | 'omitted'>,
  file: string,
  layout: SourceLayout,
  keepGoing: boolean,
): CompletedRows {
  try {
    return { rows: look.complete({ rows, omitted }), damaged: [] };
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  let complete = rows;
  const damaged: { table: string; told: string }[] = [];
  for (const row of omitted) {
    try {
      complete = withValue(look, complete, row, file, layout);
    } catch (error) {
      if (!isFault(error)) throw error;
      const { table, place } = placeOf(row, layout);
      if (!keepGoing) throw damagedValue(place, error);
      damaged.push({ table, told: `${place}: ${error.message}` });
    }
  }
  return { rows: complete, damaged };
}

function withValue(
  look: SecondLook,
  rows: ThreadRows,
  omitted: OmittedRow,
  file: string,
  { sections }: SourceLayout,
): ThreadRows {
  try {
    return look.complete({ rows, omitted: [omitted] });
  } catch (error) {
    const layout = sections[omitted.section]?.layout;
    if (!isFault(error) || layout === undefined) throw error;
    const list = layout.kind === 'writes' ? rows.writes : rows.blobs;
    const known = list?.[omitted.index];
    const row = known === undefined ? null : insertedRow(file, omitted.byte, layout, known);
    if (known === undefined || row === null) throw error;
    return withRow(rows, omitted.index, { ...known, value: row.value });
  }
}

function withRow(rows: ThreadRows, index: number, row: ValueRow): ThreadRows {
  return 'version' in row
    ? { ...rows, blobs: rows.blobs?.with(index, row) ?? null }
    : { ...rows, writes: rows.writes?.with(index, row) ?? null };
}

function isFault(error: unknown): error is RowFault | DecodeError {
  return error instanceof RowFault || error instanceof DecodeError;
}

function placeOf(
  { byte, section }: OmittedRow,
  { source, sections }: SourceLayout,
): Record<'table' | 'place', string> {
  const table = sections[section]?.name ?? '';
  return { table, place: `${source}, table ${table}, byte ${byte}` };
}

function damagedValue(place: string, cause: RowFault | DecodeError): OperatorError {
  return new OperatorError({
    happened: cause.message,
    place,
    remedy:
      'The row is damaged; make the dump again with pg_dump, delete the row, or pass --keep-going to leave its value out and call the verdict unknown.',
    cause,
  });
}
