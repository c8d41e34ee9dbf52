/**
 * Archives that only PostgreSQL's own `pg_restore` reads (custom, directory, tar) as plain text. Easy to get wrong:
 * pg_restore refuses archives of a newer pg_dump, and says so on stderr only; and a reader that stops early must end
 * the process.
 */
import { Readable } from 'node:stream';
import { execa, ExecaError } from 'execa';
import { OperatorError } from '../failure/operator-error.ts';
import type { ByteStream } from './byte-stream.ts';

/** An archive: a path that pg_restore opens itself, or bytes for its standard input. */
export type Archive =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: ByteStream };

/** What to take out of an archive. */
export type Extraction =
  | { readonly kind: 'everything' }
  /** Definitions, no data. */
  | { readonly kind: 'schema' }
  /** Definitions and data of the tables with these bare names, in every schema. */
  | { readonly kind: 'tables'; readonly tables: readonly string[] };

/**
 * The plain text of an archive, as pg_restore writes it. Ends the process when the reader stops. *Fails* with
 * OperatorError when pg_restore is absent or refuses.
 */
export async function* restoredText(archive: Archive, extraction: Extraction): AsyncGenerator<Uint8Array> {
  const subprocess = execa('pg_restore', restoreArguments(archive, extraction), {
    ...(archive.kind === 'bytes' ? { input: Readable.from(archive.bytes) } : { stdin: 'ignore' as const }),
    // The text can be larger than memory; the complaints cannot.
    buffer: { stdout: false, stderr: true },
    encoding: 'buffer',
    env: { LC_ALL: 'C' },
  });
  // Without a listener an early failure would count as unhandled before the text has been read to its end.
  const ended = subprocess.then(
    () => null,
    (error: unknown) => error,
  );
  let isRead = false;
  try {
    for await (const chunk of subprocess.stdout) yield chunk as Uint8Array;
    isRead = true;
  } finally {
    if (!isRead) subprocess.kill();
    const failure = await ended;
    if (isRead && failure !== null) throw restoreError(archive, failure);
  }
}

function restoreArguments(archive: Archive, extraction: Extraction): readonly string[] {
  const choice =
    extraction.kind === 'schema'
      ? ['--schema-only']
      : extraction.kind === 'tables'
        ? extraction.tables.flatMap((table) => ['--table', table])
        : [];
  return ['--file=-', ...choice, ...(archive.kind === 'path' ? ['--', archive.path] : [])];
}

function restoreError(archive: Archive, failure: unknown): OperatorError {
  const place = archive.kind === 'path' ? archive.path : archive.name;
  // The archive itself came out of a stream that failed: that is the fault to report.
  if (failure instanceof ExecaError && failure.cause instanceof OperatorError) return failure.cause;
  if (!(failure instanceof ExecaError)) {
    return new OperatorError({
      happened: 'pg_restore failed',
      place,
      remedy: readItYourself,
      cause: failure,
    });
  }
  if (failure.code === 'ENOENT') {
    return new OperatorError({
      happened: 'the archive can only be read by pg_restore, which is not installed',
      place,
      expected: 'pg_restore on the PATH',
      remedy: `Install PostgreSQL's client programs, or elsewhere: ${readItYourself}`,
      cause: failure,
    });
  }
  const stderr: unknown = failure.stderr;
  const said = (stderr instanceof Uint8Array ? Buffer.from(stderr).toString('utf8') : failure.shortMessage)
    .trim()
    .replace(/^pg_restore: (?:error: )?/gm, '')
    .replaceAll('\n', '; ');
  const isTooNew = said.includes('unsupported version');
  return new OperatorError({
    happened: isTooNew
      ? `the archive was made by a newer pg_dump than this pg_restore reads: ${said}`
      : `pg_restore could not read the archive: ${said}`,
    place,
    remedy: isTooNew
      ? 'Install the pg_restore of that version or a newer one.'
      : `Make the dump again, or find the fault by hand: ${readItYourself}`,
    cause: failure,
  });
}

const readItYourself = 'Run pg_restore -f dump.sql ARCHIVE and audit dump.sql.';
