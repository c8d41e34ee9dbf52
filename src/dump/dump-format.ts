/**
 * What kind of file is this? Told from its first bytes, never from its name. Easy to get wrong: PowerShell's `>`
 * writes UTF-16, which looks like a dump to its owner and like zeros to a reader.
 */

/** Formats the reader takes (`rows`: JSON lines), and what other files turn out to be. */
export type DumpFormat =
  | { readonly kind: 'plain' | 'gzip' | 'zstd' | 'custom' | 'tar' | 'rows' }
  | { readonly kind: 'foreign'; readonly what: string; readonly remedy: string };

/** How many first bytes {@link recogniseFormat} wants: a tar header is a block of 512. */
export const formatHeadBytes = 4_096;

const pgDump = 'Make the dump with pg_dump (plain, custom, directory or tar).';

/** What other files begin with, and how a dump inside is got out. */
const foreign: readonly { readonly magic: string; readonly what: string; readonly remedy: string }[] = [
  {
    magic: '04224d18',
    what: 'compressed with lz4',
    remedy: 'Pipe it through `lz4 -dc FILE` and read from -.',
  },
  {
    magic: 'fd377a585a00',
    what: 'compressed with xz',
    remedy: 'Pipe it through `xz -dc FILE` and read from -.',
  },
  {
    magic: '425a68',
    what: 'compressed with bzip2',
    remedy: 'Pipe it through `bzip2 -dc FILE` and read from -.',
  },
  { magic: '504b0304', what: 'a zip archive', remedy: 'Unzip it and name the dump inside.' },
  { magic: 'fffe', what: 'text in UTF-16', remedy: 'Use pg_dump -f FILE instead of > under PowerShell.' },
  { magic: 'feff', what: 'text in UTF-16', remedy: 'Use pg_dump -f FILE instead of > under PowerShell.' },
  {
    magic: '53514c69746520666f726d617420',
    what: 'an SQLite database',
    remedy: 'Export its rows as JSON lines.',
  },
];

/**
 * Recognises a file by its first {@link formatHeadBytes} bytes (fewer only if the file is shorter). What is handed over
 * beyond them is not looked at, so that the chunks in which a file comes make no difference.
 */
export function recogniseFormat(beginning: Buffer): DumpFormat {
  const head = beginning.subarray(0, formatHeadBytes);
  if (head.length === 0) return { kind: 'foreign', what: 'empty', remedy: 'Run pg_dump again.' };
  const hex = head.toString('hex', 0, 16);
  if (hex.startsWith('1f8b')) return { kind: 'gzip' };
  if (zstdOpening.test(hex)) return { kind: 'zstd' };
  if (head.toString('latin1', 0, 5) === 'PGDMP') return { kind: 'custom' };
  if (head.toString('latin1', 257, 262) === 'ustar') {
    const isDump = head.toString('latin1', 0, 8) === 'toc.dat\0';
    return isDump
      ? { kind: 'tar' }
      : { kind: 'foreign', what: 'a tar archive but none of pg_dump', remedy: pgDump };
  }
  const other = foreign.find(({ magic }) => hex.startsWith(magic));
  if (other !== undefined) return { kind: 'foreign', what: other.what, remedy: other.remedy };
  if (head.includes(0)) return { kind: 'foreign', what: 'binary data', remedy: pgDump };
  if (objectOpening.test(head.toString('latin1'))) return { kind: 'rows' };
  if (sqlOpening.test(head.toString('latin1'))) return { kind: 'plain' };
  return {
    kind: 'foreign',
    what: 'text that begins neither like SQL nor like rows in JSON lines',
    remedy: pgDump,
  };
}

/** A frame, or one of those that decoders skip: pzstd begins with one, and so does a file made to be sought in. */
const zstdOpening = /^(?:28b52ffd|5.2a4d18)/;

/** A comment, a psql command or a keyword a dump or a hand-cut part of one may begin with; a UTF-8 mark before it. */
const sqlOpening =
  /^(?:\u00ef\u00bb\u00bf)?\s*(?:--|\/\*|\\\w|(?:set|select|copy|insert|create|alter|drop|begin|start|truncate|delete|comment|do|lock)\b)/i;

/** JSON lines begin with an object; what it holds is judged line by line. */
const objectOpening = /^(?:\u00ef\u00bb\u00bf)?\s*\{/;
