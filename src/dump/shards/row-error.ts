/** A row that cannot be decoded, as the error that tells the operator where it is and what to do. */
import type { DecodeError } from '#analysis/rows/decode-error.ts';
import { dumpError, type DumpPlace } from '../dump-place.ts';
import { RowFault } from '../text-field.ts';

/** The operator error for a row's fault. */
export function rowError(place: DumpPlace, error: RowFault | DecodeError): Error {
  const expected = error instanceof RowFault ? error.expected : null;
  const fault = { happened: error.message, remedy: damagedRow, cause: error };
  return dumpError(place, expected === null ? fault : { ...fault, expected });
}

const damagedRow =
  'The row is damaged or not LangGraph’s; make the dump again with pg_dump --encoding=UTF8, delete the row, or pass --keep-going to leave it out and call the verdict unknown.';
