/**
 * The frames of a zstd file (RFC 8878, section 3.1), unpacked block by block. The decoder beneath unpacks blocks and
 * checks nothing; damaged data often unpacks to something. So the checksum that `zstd` writes after each frame is
 * compared here, and a window that would take memory by the gigabyte is refused as `zstd` itself refuses it.
 */
import { Decompress } from 'fzstd';
import { createXXHash64, type IHasher } from 'hash-wasm';
import type { ByteReader } from './byte-reader.ts';

/** The bytes are no zstd, or not what was packed. The message is a phrase. */
export class ZstdDamaged extends Error {
  override readonly name = 'ZstdDamaged';
}

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;

/** What `zstd -d` takes without `--long`. */
const largestWindowBytes = 1 << 27;

/** A block of a frame never unpacks to more, and is never longer. */
const largestBlockBytes = 1 << 17;

const repeatedByte = 1;
const reservedType = 3;

/** The unpacked bytes of all frames. *Fails* with {@link ZstdDamaged}, or with BytesMissing where the file ends early. */
export async function* zstdBlocks(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const hasher = await createXXHash64();
  while (await reader.hasMore()) {
    const magic = await reader.take(4);
    const number = u32(magic);
    if ((number & 0xfffffff0) >>> 0 === skippableMagic) await reader.skip(u32(await reader.take(4)));
    else if (number === frameMagic) yield* frameBlocks(reader, magic, hasher);
    else throw new ZstdDamaged('a frame does not begin as frames do');
  }
}

async function* frameBlocks(
  reader: ByteReader,
  magic: Uint8Array,
  hasher: IHasher,
): AsyncGenerator<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const decoder = new Decompress((block) => {
    if (block.length > 0) blocks.push(block);
  });
  const unpack = (bytes: Uint8Array, isLast: boolean): readonly Uint8Array[] => {
    blocks.length = 0;
    try {
      decoder.push(bytes, isLast);
    } catch (error) {
      throw new ZstdDamaged('a block cannot be unpacked', { cause: error });
    }
    for (const block of blocks) hasher.update(block);
    return [...blocks];
  };
  hasher.init();
  const { bytes, hasChecksum } = await frameHeader(reader);
  yield* unpack(joined(magic, bytes), false);
  for (let isLast = false; !isLast;) {
    const header = await reader.take(3);
    const bits = (header[0] ?? 0) | ((header[1] ?? 0) << 8) | ((header[2] ?? 0) << 16);
    const [type, size] = [(bits >> 1) & 3, bits >> 3];
    if (type === reservedType || size > largestBlockBytes)
      throw new ZstdDamaged('a block has no valid header');
    yield* unpack(joined(header, await reader.take(type === repeatedByte ? 1 : size)), false);
    isLast = (bits & 1) === 1;
  }
  const checksum = await reader.take(hasChecksum ? 4 : 0);
  // The decoder keeps a frame of a few bytes back until it knows that no more come.
  yield* unpack(checksum, true);
  // The low half of XXH64; the digest shows the high half first.
  if (hasChecksum && u32(checksum) !== Number.parseInt(hasher.digest('hex').slice(8), 16)) {
    throw new ZstdDamaged('a checksum does not fit');
  }
}

/** The header after the magic number: descriptor, window, dictionary, content size. */
async function frameHeader(
  reader: ByteReader,
): Promise<{ readonly bytes: Uint8Array; readonly hasChecksum: boolean }> {
  const descriptor = await reader.take(1);
  const flags = descriptor[0] ?? 0;
  const isSingleSegment = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const sizeFlag = flags >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 1 << sizeFlag;
  const rest = await reader.take(Number(!isSingleSegment) + dictionaryBytes + sizeBytes);
  const window = isSingleSegment ? contentSize(rest.subarray(dictionaryBytes)) : windowSize(rest[0] ?? 0);
  if (window > largestWindowBytes)
    throw new ZstdDamaged('it was packed with --long, which takes too much memory');
  if (dictionaryBytes > 0) throw new ZstdDamaged('it was packed with a dictionary');
  return { bytes: joined(descriptor, rest), hasChecksum: (flags & 4) !== 0 };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Of one, two (counted from 256), four or eight bytes. */
function contentSize(bytes: Uint8Array): number {
  let size = 0;
  for (const [index, byte] of bytes.entries()) size += byte * 256 ** index;
  return bytes.length === 2 ? size + 256 : size;
}

function u32(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32LE();
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
