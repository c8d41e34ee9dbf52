/**
 * A row of an INSERT, read again where its statement stands in a file. Easy to get wrong: one statement may hold many
 * rows and all of them are known by the statement's first byte, so the wanted one is told by its key.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { BlobRow, WriteRow } from '#analysis/model/checkpoint.ts';
import { insertRows, NotALiteral } from '../dump/insert-values.ts';
import { RowDecoder } from '../dump/row-decoder.ts';
import { ValuesRow } from '../dump/row-fields.ts';
import { readStatement, statementEnd, TokenReader } from '../dump/statements.ts';
import type { TableLayout } from '../dump/table-layout.ts';

/** A row whose value may have been left out. */
export type ValueRow = BlobRow | WriteRow;

/** Longer statements are let alone, as longer lines are. */
const longestStatementBytes = 16 << 20;

/** The strings of a server of this century; in others a value is no bytea and stays unread. */
const dialect = { standardStrings: true };

/**
 * The row like `known`, with its value. Null when no such row stands at `byte`: it is no INSERT, or one too long.
 * *Cost*: one read and a look at all rows of the statement. *Fails* with RowFault or DecodeError for a damaged row.
 */
export function insertedRow(
  file: string,
  byte: number,
  layout: TableLayout,
  known: ValueRow,
): ValueRow | null {
  const bytes = statementAt(file, byte);
  if (bytes === null) return null;
  const statement = readStatement(bytes, dialect);
  if (statement.kind !== 'insert') return null;
  const decoder = new RowDecoder();
  try {
    for (const values of insertRows(new TokenReader(bytes, dialect, statement.valuesAt))) {
      if (values.length !== layout.width) continue;
      const { table, row } = decoder.decode(new ValuesRow(values), layout);
      if (table !== 'checkpoints' && hasKeyOf(row, known, layout.isShallow)) return row;
    }
  } catch (error) {
    if (!(error instanceof NotALiteral)) throw error;
  }
  return null;
}

/** The shallow saver's blobs hold no version; there is one of a channel. */
function hasKeyOf(row: ValueRow, known: ValueRow, isShallow: boolean): boolean {
  if (row.thread !== known.thread || row.namespace !== known.namespace) return false;
  if ('version' in row) {
    return (
      'version' in known && row.channel === known.channel && (isShallow || row.version === known.version)
    );
  }
  return (
    'task' in known &&
    row.checkpoint === known.checkpoint &&
    row.task === known.task &&
    row.index === known.index
  );
}

function statementAt(file: string, byte: number): Buffer | null {
  const descriptor = openSync(file, 'r');
  try {
    for (let size = 64 << 10; size <= longestStatementBytes; size *= 8) {
      const bytes = Buffer.allocUnsafe(size);
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read) {
        read = readSync(descriptor, bytes, length, size - length, byte + length);
      }
      const text = bytes.subarray(0, length);
      const end = statementEnd(text, 0, dialect);
      if (end !== 'more') return text.subarray(0, end);
      if (length < size) return null;
    }
    return null;
  } finally {
    closeSync(descriptor);
  }
}
