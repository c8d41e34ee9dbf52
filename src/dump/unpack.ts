/**
 * Compressed bytes to the bytes inside, as they come. Easy to get wrong: what was unpacked before a damaged place is
 * handed over first, so that whoever reads on after faults reads all there is.
 */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../failure/operator-error.ts';
import { ByteReader, BytesMissing } from './byte-reader.ts';
import { asBuffer, inPieces, type ByteStream } from './byte-stream.ts';
import { ZstdDamaged, zstdBlocks } from './zstd-frames.ts';

/** How bytes can be packed. */
export type Packing = 'gzip' | 'zstd';

/** A megabyte: larger chunks no longer gain speed, smaller ones cost it. */
const chunkBytes = 1 << 20;

/** What is put into gunzip at a time: damage is located to so many bytes. */
const gzipPieceBytes = 64 << 10;

/** Unpacks. *Fails* with OperatorError where the bytes are damaged or end too early; `name` is how it calls them. */
export function unpacked(packing: Packing, name: string, bytes: ByteStream): AsyncGenerator<Uint8Array> {
  return packing === 'gzip' ? gunzipped(name, bytes) : unzstd(name, bytes);
}

async function* gunzipped(name: string, bytes: ByteStream): AsyncGenerator<Uint8Array> {
  // Where damage is met, and what comes out before it, goes by what is put in at a time.
  const packed = Readable.from(inPieces(bytes, gzipPieceBytes));
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  packed.once('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield asBuffer(chunk as Uint8Array);
  } catch (error) {
    const isCut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    throw notUnpacked('gzip', name, gunzip.bytesWritten, isCut, error);
  } finally {
    packed.destroy();
  }
}

async function* unzstd(name: string, bytes: ByteStream): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(bytes);
  try {
    yield* zstdBlocks(reader);
  } catch (error) {
    throw notUnpacked('zstd', name, reader.taken, error instanceof BytesMissing, error);
  } finally {
    await reader.close();
  }
}

function notUnpacked(
  packing: Packing,
  name: string,
  byte: number,
  isCut: boolean,
  cause: unknown,
): OperatorError {
  // The packed bytes themselves may have come out of something that failed.
  if (cause instanceof OperatorError) return cause;
  const reason = cause instanceof ZstdDamaged ? `: ${cause.message}` : '';
  return new OperatorError({
    happened: `the ${packing} file is ${isCut ? 'cut off' : 'damaged'}${reason}`,
    place: `${name}, ${isCut ? 'which ends at' : 'before'} byte ${byte}`,
    remedy:
      'Copy it again and compare the sizes, or make the dump again. Or pass --keep-going to audit what was read and call the verdict unknown.',
    cause,
  });
}
