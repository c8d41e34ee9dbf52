/**
 * Lines of any number in a random order, in bounded memory: each goes to a random one of many temporary files, and
 * each file, small enough for memory, is shuffled and read back. Every order is as likely as any other.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chance } from './chance.ts';

/** Files that share the lines; of a 14 GB table each has some 30 MB. */
const bucketCount = 512;

/** A bucket's lines wait in memory up to so many characters before they are written. */
const pendingLength = 128 << 10;

/**
 * The lines, shuffled. Each ends with a line feed and holds one byte a character. *Cost*: the lines' bytes on disk in
 * the system's temporary folder, removed in any case; memory for one bucket and 64 MB.
 */
export function* shuffled(lines: Iterable<string>, chance: Chance): Generator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'forkscope-shuffle-'));
  const path = (bucket: number): string => join(folder, String(bucket));
  const files: number[] = [];
  const pending: string[][] = Array.from({ length: bucketCount }, () => []);
  const lengths = new Float64Array(bucketCount);
  const flush = (bucket: number): void => {
    const file = (files[bucket] ??= openSync(path(bucket), 'w'));
    writeSync(file, pending[bucket]?.join('') ?? '', null, 'latin1');
    pending[bucket] = [];
    lengths[bucket] = 0;
  };
  try {
    for (const line of lines) {
      const bucket = chance.between(0, bucketCount);
      pending[bucket]?.push(line);
      const length = (lengths[bucket] ?? 0) + line.length;
      lengths[bucket] = length;
      if (length >= pendingLength) flush(bucket);
    }
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      flush(bucket);
      const own = readFileSync(path(bucket), 'latin1').split('\n').slice(0, -1);
      shuffleInPlace(own, chance);
      for (const line of own) yield `${line}\n`;
      rmSync(path(bucket));
    }
  } finally {
    for (const file of files) closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** *Source*: R. Durstenfeld, "Algorithm 235: Random permutation", Communications of the ACM 7(7), 1964. */
function shuffleInPlace(lines: string[], chance: Chance): void {
  for (let last = lines.length - 1; last > 0; last -= 1) {
    const other = chance.between(0, last + 1);
    const [one, two] = [lines[last], lines[other]];
    if (one === undefined || two === undefined) continue;
    lines[last] = two;
    lines[other] = one;
  }
}
