/**
 * A thread's rows with the values that were left out at first, also where such a value turns out to be damaged. Easy to
 * get wrong: these lines are read long after all others, so what is wrong with one is met here and nowhere else.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { DecodeError } from '#analysis/rows/decode-error.ts';
import type { SecondLook } from '../dump/shards/second-look.ts';
import type { SourceLayout } from '../dump/shards/shard-layout.ts';
import type { OmittedRow, ShardThread } from '../dump/shards/shard-thread.ts';
import { RowFault } from '../dump/text-field.ts';
import { OperatorError } from '../failure/operator-error.ts';

/** Rows, and the values that stayed unread because they are damaged: place and reason of each. */
export interface CompletedRows {
  readonly rows: ThreadRows;
  readonly damaged: readonly { readonly table: string; readonly told: string }[];
}

/**
 * Reads the values that were left out. *Cost*: one read a row, and another one where one is damaged. *Fails* with
 * OperatorError at the first damaged one unless it keeps going.
 */
export function completeRows(
  look: SecondLook,
  { rows, omitted }: Pick<ShardThread, 'rows' | 'omitted'>,
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
      complete = look.complete({ rows: complete, omitted: [row] });
    } catch (error) {
      if (!isFault(error)) throw error;
      const { table, place } = placeOf(row, layout);
      if (!keepGoing) throw damagedValue(place, error);
      damaged.push({ table, told: `${place}: ${error.message}` });
    }
  }
  return { rows: complete, damaged };
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
