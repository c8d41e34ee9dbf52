/**
 * Does a row of a query hold what its SQL promises? Readers of single fields that name the field when it does not.
 * A mismatch is a bug of the query (every column is cast in SQL), so these throw `InvariantBroken`.
 */
import { invariant } from '#analysis/model/bug.ts';

/** A row as the driver hands it over: column name → value. */
export type DriverRow = Readonly<Record<string, unknown>>;

/** A text column that is never NULL. */
export function textField(row: DriverRow, name: string): string {
  const value = row[name];
  invariant(typeof value === 'string', `column ${name} is text`);
  return value;
}

/** A text column; null for SQL NULL. */
export function nullableTextField(row: DriverRow, name: string): string | null {
  return row[name] === null ? null : textField(row, name);
}

/** A column cast to `int`, which the driver hands over as a number (a `bigint` would come as text). */
export function integerField(row: DriverRow, name: string): number {
  const value = row[name];
  invariant(typeof value === 'number' && Number.isSafeInteger(value), `column ${name} is an integer`);
  return value;
}

/** A boolean column that is never NULL. */
export function booleanField(row: DriverRow, name: string): boolean {
  const value = row[name];
  invariant(typeof value === 'boolean', `column ${name} is a boolean`);
  return value;
}

/** A bytea column; null for SQL NULL. */
export function nullableBytesField(row: DriverRow, name: string): Buffer | null {
  const value = row[name];
  invariant(value === null || Buffer.isBuffer(value), `column ${name} is bytea`);
  return value;
}
