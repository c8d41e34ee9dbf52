/**
 * A text column's field as a string. Easy to get wrong: it holds UTF-8 that nobody has checked, and decoding it loosely
 * would make two different thread ids equal.
 */
import { isAscii, isUtf8 } from 'node:buffer';

/** A field that is not what its column holds. Its message is a clause that names the column. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
  /** What the row should have been, where that says more than the message. */
  readonly expected: string | null;

  constructor(message: string, { cause, expected }: { cause?: unknown; expected?: string } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.expected = expected ?? null;
  }
}

/** The text of a field. *Fails* with {@link RowFault} for NULL and for bytes that are not UTF-8. */
export function text(column: string, field: Buffer | null): string {
  if (field === null) throw new RowFault(`the column ${column} is NULL`);
  if (isAscii(field)) return field.toString('latin1');
  if (!isUtf8(field)) throw new RowFault(`the column ${column} is not UTF-8`);
  return field.toString('utf8');
}

/** The text of a field, null for NULL. */
export function textOrNull(column: string, field: Buffer | null): string | null {
  return field === null ? null : text(column, field);
}
