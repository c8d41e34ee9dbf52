/**
 * Rows of all tables by shard, in memory up to a budget and beyond it in a temporary file. Easy to get wrong: what is
 * spilled is merged first, so that a shard is read back in a few large pieces and not in one for every block.
 */
import type { Run } from './block.ts';
import { SpillFile } from './spill-file.ts';
import { shardCount } from './thread-hash.ts';

/** Where a part of a shard is: in (shared) memory, or in an open file. Survives structured cloning. */
export type ShardPart =
  | { readonly kind: 'memory'; readonly bytes: Uint8Array; readonly start: number; readonly end: number }
  | {
      readonly kind: 'file';
      readonly descriptor: number;
      readonly offset: number;
      readonly length: number;
    };

/** One flush: the offsets of its shards within the file. */
interface Spilled {
  readonly offset: number;
  readonly offsets: Float64Array;
}

/** Pieces are gathered up to this many bytes before they are written. */
const gatherBytes = 4 << 20;

/** Takes runs in any order. *Cost*: memory up to the budget and one run; every byte is written at most once. */
export class RunStore {
  readonly #budgetBytes: number;
  readonly #folder: string | undefined;
  #runs: Run[] = [];
  #heldBytes = 0;
  #file: SpillFile | null = null;
  readonly #spilled: Spilled[] = [];
  /** Most bytes that any one shard holds. */
  readonly #sizes = new Float64Array(shardCount);

  /** `folder`: where to spill; the system's temporary folder, when absent. */
  constructor(budgetBytes: number, folder?: string) {
    this.#budgetBytes = budgetBytes;
    this.#folder = folder;
  }

  /** *Fails* with OperatorError where it must spill and cannot. */
  add(run: Run): void {
    for (let shard = 0; shard < shardCount; shard += 1) {
      this.#sizes[shard] = (this.#sizes[shard] ?? 0) + sizeOf(run, shard);
    }
    this.#runs.push(run);
    this.#heldBytes += run.bytes.length;
    if (this.#heldBytes > this.#budgetBytes) this.#spill();
  }

  /** Bytes in the temporary file. */
  get spilledBytes(): number {
    return this.#file?.length ?? 0;
  }

  /** Bytes of a shard's records. */
  sizeOf(shard: number): number {
    return this.#sizes[shard] ?? 0;
  }

  /** The parts of a shard, in the order in which runs came. */
  parts(shard: number): readonly ShardPart[] {
    const parts: ShardPart[] = [];
    for (const { offset, offsets } of this.#spilled) {
      const start = offsets[shard] ?? 0;
      const length = (offsets[shard + 1] ?? 0) - start;
      if (length > 0 && this.#file !== null) {
        parts.push({ kind: 'file', descriptor: this.#file.descriptor, offset: offset + start, length });
      }
    }
    for (const { bytes, offsets } of this.#runs) {
      const [start = 0, end = 0] = [offsets[shard], offsets[shard + 1]];
      if (end > start) parts.push({ kind: 'memory', bytes, start, end });
    }
    return parts;
  }

  /** Gives memory and file back. */
  close(): void {
    this.#runs = [];
    this.#file?.close();
    this.#file = null;
  }

  #spill(): void {
    const file = (this.#file ??= new SpillFile(this.#folder));
    const offset = file.length;
    const offsets = new Float64Array(shardCount + 1);
    const gathered = Buffer.allocUnsafe(gatherBytes);
    let used = 0;
    const flush = (): void => {
      file.append(gathered.subarray(0, used));
      used = 0;
    };
    for (let shard = 0; shard < shardCount; shard += 1) {
      for (const run of this.#runs) {
        const piece = run.bytes.subarray(run.offsets[shard], run.offsets[shard + 1]);
        if (used + piece.length > gatherBytes) flush();
        if (piece.length > gatherBytes) file.append(piece);
        else {
          gathered.set(piece, used);
          used += piece.length;
        }
      }
      offsets[shard + 1] = file.length + used - offset;
    }
    flush();
    this.#spilled.push({ offset, offsets });
    this.#runs = [];
    this.#heldBytes = 0;
  }
}

function sizeOf({ offsets }: Run, shard: number): number {
  return (offsets[shard + 1] ?? 0) - (offsets[shard] ?? 0);
}
