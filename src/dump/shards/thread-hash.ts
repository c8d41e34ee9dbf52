/**
 * Which shard does a thread belong to? A hash of the thread id's bytes, so that the three tables, read at different
 * times and by different threads, agree without asking each other. Easy to get wrong: COPY text may spell one id in
 * two ways, so an id with an escape in it is hashed as what it stands for.
 */
import { copyField } from '../copy-text.ts';

/**
 * How many shards a source is cut into. Fixed, so that threads come in one order whatever the memory and the number of
 * cores; enough that one shard of a table of 10 million rows has about 40 MB.
 */
export const shardCount = 256;

const backslash = 0x5c;

/**
 * 32 bits for the raw field `bytes[start, end)`. *Source*: FNV-1a (Fowler, Noll, Vo), with the final mixing of
 * MurmurHash3 (Appleby), because ids that differ in the last digit only would otherwise share their upper bits.
 */
export function threadHash(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === backslash) {
      const plain = copyField(bytes, start, end);
      // A NULL id is no thread; it is refused when the row is decoded.
      return plain === null ? 0 : hashOf(plain);
    }
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return mixed(hash);
}

function hashOf(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return mixed(hash);
}

function mixed(hash: number): number {
  let mix = hash ^ (hash >>> 16);
  mix = Math.imul(mix, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** The shard of a hash: its upper bits, because threads of one shard are then sorted by the whole hash. */
export function shardOf(hash: number): number {
  return hash >>> 24;
}
