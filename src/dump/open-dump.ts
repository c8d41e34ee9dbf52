/**
 * From whatever the operator named to the plain text of a dump: a file, a folder or standard input; gzip, zstd,
 * custom, directory, tar or plain. Easy to get wrong: the formats nest (a custom archive may be gzipped), so each layer
 * is looked at again.
 */
import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../failure/operator-error.ts';
import { peek, type ByteStream } from './byte-stream.ts';
import { formatHeadBytes, recogniseFormat } from './dump-format.ts';
import { DumpTables } from './dump-tables.ts';
import { partitionTables } from './partition-tables.ts';
import { restoredText, type Archive } from './pg-restore.ts';
import { chunkBytes as largestBlock, type ChunkPool } from './shards/chunk-pool.ts';
import { wantedTables } from './table-layout.ts';
import { unpacked } from './unpack.ts';

/** Where a dump comes from. `name` is how messages call it. */
export type DumpSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stream'; readonly name: string; readonly bytes: ByteStream };

/** A dump's plain text. */
export interface OpenDump {
  /** How messages call it: the name, and what was done to it (byte offsets refer to the result). */
  readonly name: string;
  /** What the text is: SQL, or rows as JSON lines. */
  readonly form: 'sql' | 'rows';
  /** To be read once. Reading it to the end or stopping early closes everything behind it. */
  readonly text: ByteStream;
  /** What is known of the tables before the text is read. */
  readonly tables: DumpTables;
  /** The path of the file whose bytes are the text; null when they were unpacked or piped in. */
  readonly file: string | null;
  /** How much of a file was read, 0 to 1; null where its end is not known, as behind a pipe or pg_restore. */
  readonly share: () => number | null;
}

/** A megabyte: larger chunks no longer gain speed, smaller ones cost it. */
const chunkBytes = 1 << 20;

/** Memory for a file's bytes, taken chunk by chunk; whoever has read a chunk releases it. */
export type ChunkMemory = Pick<ChunkPool, 'take'>;

/** Counts the bytes of a file as they are read. A file that grows meanwhile is never read more than whole. */
class FileMeter {
  size = 0;
  read = 0;
  readonly share = (): number | null => (this.size === 0 ? null : Math.min(1, this.read / this.size));
}

/** Of bytes whose file, if there is one, is known to the caller only. */
const unknownShare = (): null => null;

/** Of text that another program makes. */
const noShare = (): null => null;

/** Deeper nesting of compression is an attack, not a backup. */
const deepestPacking = 3;

/**
 * Opens a dump. A file's own bytes come in chunks of `memory`. *Fails* with OperatorError: no such file, not readable,
 * not a dump, or pg_restore missing.
 */
export async function openDump(source: DumpSource, memory: ChunkMemory): Promise<OpenDump> {
  if (source.kind === 'stream') return openStream(source.name, null, source.bytes, 0);
  const { path } = source;
  const meter = new FileMeter();
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await openDirectory(path);
    meter.size = found.size;
  } catch (error) {
    throw unreadable(path, error);
  }
  const opened = await openStream(path, path, fileBytes(path, meter), 0);
  const share = opened.share === unknownShare ? meter.share : opened.share;
  if (opened.file === null) return { ...opened, share };
  meter.read = 0;
  // The text is the file itself: it is read into memory that other threads see.
  return { ...opened, share, text: sharedFileBytes(opened.file, memory, meter) };
}

async function openDirectory(path: string): Promise<OpenDump> {
  const toc = await stat(join(path, 'toc.dat')).catch(() => null);
  if (toc?.isFile() !== true) {
    throw new OperatorError({
      happened: 'the folder is no dump',
      place: path,
      expected: 'a file toc.dat in it, as pg_dump -Fd writes',
      remedy: 'Name the dump file, or the folder that pg_dump -Fd made.',
    });
  }
  return openArchive(path, { kind: 'path', path });
}

/** `path` is the file whose bytes these are, unchanged; null when they were unpacked or piped in. */
async function openStream(
  name: string,
  path: string | null,
  bytes: ByteStream,
  packedDepth: number,
): Promise<OpenDump> {
  const { head, stream, close } = await peek(bytes, formatHeadBytes);
  const format = recogniseFormat(head);
  switch (format.kind) {
    case 'plain':
      if (path !== null) await close();
      return { name, form: 'sql', text: stream, tables: new DumpTables(), file: path, share: unknownShare };
    case 'rows':
      return { name, form: 'rows', text: stream, tables: new DumpTables(), file: null, share: unknownShare };
    case 'gzip':
    case 'zstd':
      if (packedDepth === deepestPacking) break;
      return openStream(
        packedDepth === 0 ? `${name}, unpacked` : name,
        null,
        unpacked(format.kind, name, stream),
        packedDepth + 1,
      );
    case 'custom':
    case 'tar':
      if (path === null) return openArchive(name, { kind: 'bytes', name, bytes: stream });
      await close();
      return openArchive(name, { kind: 'path', path });
    case 'foreign':
      break;
  }
  await close();
  const what = format.kind === 'foreign' ? format.what : `packed more than ${deepestPacking} times`;
  throw new OperatorError({
    happened: `the file is not a dump: it is ${what}`,
    place: name,
    expected: 'a dump made by pg_dump',
    remedy: format.kind === 'foreign' ? format.remedy : 'Unpack it by hand.',
  });
}

/**
 * A path is opened twice, first for its definitions, so that only LangGraph's tables and their partitions are read.
 * Bytes come once: everything is read and the rest thrown away.
 */
async function openArchive(name: string, archive: Archive): Promise<OpenDump> {
  const shown = `${name}, as pg_restore writes it`;
  const form = 'sql';
  const file = null;
  const share = noShare;
  const tables = new DumpTables();
  if (archive.kind === 'bytes')
    return { name: shown, form, text: restoredText(archive, { kind: 'everything' }), tables, file, share };
  const partitions = await partitionTables(shown, restoredText(archive, { kind: 'schema' }), tables);
  const wanted = [...wantedTables, ...partitions];
  return {
    name: shown,
    form,
    text: restoredText(archive, { kind: 'tables', tables: wanted }),
    tables,
    file,
    share,
  };
}

async function* fileBytes(path: string, meter: FileMeter): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
      meter.read += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* sharedFileBytes(
  path: string,
  memory: ChunkMemory,
  meter: FileMeter,
): AsyncGenerator<Uint8Array> {
  let file: FileHandle | null = null;
  try {
    file = await open(path);
    // A file that is none tells no size.
    const { size } = await file.stat();
    for (let read = 0; size === 0 || read < size;) {
      const block = size === 0 ? memory.take() : memory.take(Math.min(size - read, largestBlock));
      const { bytesRead } = await file.read(block, 0, block.length);
      if (bytesRead === 0) return;
      meter.read += bytesRead;
      read += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file?.close();
  }
}

function unreadable(path: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const happened = code === 'ENOENT' ? 'there is no such file' : `the file cannot be read: ${code}`;
  return new OperatorError({
    happened,
    place: path,
    remedy: 'Check the path and its permissions.',
    cause: error,
  });
}
