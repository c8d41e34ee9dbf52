/**
 * Rows of all tables by shard, in memory up to a budget and beyond it in a temporary file. Easy to get wrong: what is
 * spilled is put in the order of the shards first, so that a shard is read back in a few large pieces.
 */
import type { Arena, ArenaSlice } from './arena.ts';
import type { Run } from './block.ts';
import { headerBytes, writeRecord } from './record.ts';
import { lengthAt, offsetAt, rowWords, slabAt } from './row-index.ts';
import { SpillFile } from './spill-file.ts';
import { shardCount } from './thread-hash.ts';

/** A stretch of the temporary file that holds records of one shard. */
export interface FilePart {
  readonly descriptor: number;
  readonly offset: number;
  readonly length: number;
}

/** The rows of one shard. Survives structured cloning; memory is shared, not copied. */
export interface ShardParts {
  /** By number; see row-index.ts. */
  readonly slabs: readonly SharedArrayBuffer[];
  /** Rows in memory, in the order of the text. */
  readonly rows: Uint32Array;
  /** Rows that come before them, in the temporary file. */
  readonly files: readonly FilePart[];
}

/** A run, and the blocks that hold its lines. */
export interface HeldRun extends Pick<Run, 'rows' | 'offsets'> {
  readonly slices: readonly ArenaSlice[];
}

interface Spilled {
  readonly offset: number;
  /** Bytes of the shards before, within the spill. */
  readonly offsets: Float64Array;
}

/** Pieces are gathered up to this many bytes before they are written. */
const gatherBytes = 4 << 20;

/** Takes runs in the order of the text. *Cost*: memory up to the budget; every row is written at most once. */
export class ShardStore {
  readonly #arena: Arena;
  readonly #budgetBytes: number;
  #runs: HeldRun[] = [];
  #indexBytes = 0;
  #file: SpillFile | null = null;
  readonly #spilled: Spilled[] = [];

  constructor(arena: Arena, budgetBytes: number) {
    this.#arena = arena;
    this.#budgetBytes = budgetBytes;
  }

  /** Keeps a run; its blocks are held for it. *Fails* with OperatorError where it must spill and cannot. */
  add(run: HeldRun): void {
    this.#runs.push(run);
    this.#indexBytes += run.rows.byteLength;
    if (this.#arena.heldBytes + this.#indexBytes > this.#budgetBytes) this.#spill();
  }

  /** Bytes in the temporary file. */
  get spilledBytes(): number {
    return this.#file?.length ?? 0;
  }

  /** The rows of a shard; null when it has none. */
  parts(shard: number): ShardParts | null {
    const files: FilePart[] = [];
    for (const { offset, offsets } of this.#spilled) {
      const start = offsets[shard] ?? 0;
      const length = (offsets[shard + 1] ?? 0) - start;
      if (length > 0 && this.#file !== null) {
        files.push({ descriptor: this.#file.descriptor, offset: offset + start, length });
      }
    }
    const pieces = this.#runs.map(({ rows, offsets }) =>
      rows.subarray((offsets[shard] ?? 0) * rowWords, (offsets[shard + 1] ?? 0) * rowWords),
    );
    const rows = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      rows.set(piece, at);
      at += piece.length;
    }
    return files.length === 0 && rows.length === 0 ? null : { slabs: this.#arena.slabs, rows, files };
  }

  /** Gives memory and file back. */
  close(): void {
    this.#runs = [];
    this.#arena.clear();
    this.#file?.close();
    this.#file = null;
  }

  #spill(): void {
    const file = (this.#file ??= new SpillFile());
    const offset = file.length;
    const offsets = new Float64Array(shardCount + 1);
    const gathered = Buffer.allocUnsafeSlow(gatherBytes);
    const view = new DataView(gathered.buffer);
    const slabs = this.#arena.slabs.map((memory) => Buffer.from(memory));
    let used = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      for (const { rows, offsets: runOffsets } of this.#runs) {
        const to = runOffsets[shard + 1] ?? 0;
        for (let index = runOffsets[shard] ?? 0; index < to; index += 1) {
          const start = offsetAt(rows, index);
          const length = lengthAt(rows, index);
          const line = slabs[slabAt(rows, index)]?.subarray(start, start + length) ?? gathered.subarray(0, 0);
          if (used + headerBytes + length > gatherBytes) {
            file.append(gathered.subarray(0, used));
            used = 0;
          }
          writeRecord(view, used, rows, index);
          used += headerBytes;
          if (used + length <= gatherBytes) {
            gathered.set(line, used);
            used += length;
          } else {
            file.append(gathered.subarray(0, used));
            file.append(line);
            used = 0;
          }
        }
      }
      offsets[shard + 1] = file.length + used - offset;
    }
    file.append(gathered.subarray(0, used));
    this.#spilled.push({ offset, offsets });
    for (const { slices } of this.#runs) for (const slice of slices) this.#arena.release(slice);
    this.#runs = [];
    this.#indexBytes = 0;
  }
}
