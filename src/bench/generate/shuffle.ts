/**
 * Lines of any number in a random order, in bounded memory: each goes to a random one of many temporary files, and
 * each file, small enough for memory, is shuffled and read back. Every order is as likely as any other.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chance } from '#src/chance.ts';

/** Files that share the lines; of a 14 GB table each has some 30 MB. */
const bucketCount = 512;

/** Bytes that a bucket gathers in memory before they are written. */
const pendingBytes = 128 << 10;

/**
 * The lines, shuffled; what is given and handed out is good until the next is asked for. Each ends with its only line
 * feed. *Cost*: the lines' bytes on disk in the system's temporary folder, removed in any case; memory for one bucket
 * and 64 MB.
 */
export function* shuffled(lines: Iterable<Buffer>, chance: Chance): Generator<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'forkscope-shuffle-'));
  const buckets: Bucket[] = [];
  try {
    for (const line of lines) {
      const number = chance.between(0, bucketCount);
      (buckets[number] ??= new Bucket(join(folder, String(number)))).add(line);
    }
    for (const bucket of buckets) {
      // A dump of few rows leaves buckets without any.
      const bytes = (bucket as Bucket | undefined)?.taken() ?? Buffer.alloc(0);
      const starts = lineStarts(bytes);
      shuffleInPlace(starts, chance);
      for (const start of starts) yield bytes.subarray(start, bytes.indexOf(lineFeed, start) + 1);
    }
  } finally {
    for (const bucket of buckets) (bucket as Bucket | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Bucket {
  private readonly path: string;
  private readonly pending = Buffer.allocUnsafeSlow(pendingBytes);
  private used = 0;
  private file: number | null = null;

  constructor(path: string) {
    this.path = path;
  }

  add(line: Buffer): void {
    if (this.used + line.length > this.pending.length) this.flush();
    if (line.length > this.pending.length) this.write(line);
    else this.used += line.copy(this.pending, this.used);
  }

  /** All lines; the file is gone afterwards. */
  taken(): Buffer {
    this.flush();
    this.close();
    const bytes = readFileSync(this.path);
    rmSync(this.path);
    return bytes;
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  private flush(): void {
    this.write(this.pending.subarray(0, this.used));
    this.used = 0;
  }

  private write(bytes: Buffer): void {
    this.file ??= openSync(this.path, 'w');
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
  }
}

const lineFeed = 0x0a;

function lineStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at = bytes.indexOf(lineFeed, at) + 1) starts.push(at);
  return starts;
}

/** *Source*: R. Durstenfeld, "Algorithm 235: Random permutation", Communications of the ACM 7(7), 1964. */
function shuffleInPlace(items: number[], chance: Chance): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = chance.between(0, last + 1);
    const [one, two] = [items[last], items[other]];
    if (one === undefined || two === undefined) continue;
    items[last] = two;
    items[other] = one;
  }
}
