/**
 * Where in a dump something went wrong, and the error that says so. A dump may have ten gigabytes and its reader no
 * editor that opens it, so a place is given both as byte offset and as line, table and row. Easy to get wrong: behind
 * gzip or pg_restore the offsets are those of the text that came out, not of the file.
 */
import { OperatorError } from '#src/failure/operator-error.ts';

/** A place in the text of a dump; null where it does not apply. */
export interface DumpPlace {
  /** The file as the operator named it, with what was done to it: `agents.sql.gz, unpacked`. */
  readonly source: string;
  /** 0-based offset of the first byte concerned. */
  readonly byte: number;
  /** 1-based. */
  readonly line: number;
  /** As SQL would name it: `public.checkpoints`. */
  readonly table: string | null;
  /** 1-based within the table's section. */
  readonly row: number | null;
}

/** One phrase for an error's place. */
export function describePlace(place: DumpPlace): string {
  const parts = [place.source];
  if (place.table !== null) parts.push(`table ${place.table}`);
  if (place.row !== null) parts.push(`row ${place.row}`);
  parts.push(`line ${place.line}`, `byte ${place.byte}`);
  return parts.join(', ');
}

/** What is said of a fault besides its place. */
export interface DumpFault {
  readonly happened: string;
  readonly expected?: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

/** The operator error for a fault at a place. */
export function dumpError(place: DumpPlace, fault: DumpFault): OperatorError {
  return new OperatorError({ ...fault, place: describePlace(place) });
}

/** What to do about a dump that ends too early. */
export const dumpAgain =
  'Run pg_dump again and check that it ended without an error and that the disk was not full.';
