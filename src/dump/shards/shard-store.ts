/**
 * Rows of all tables by shard, in memory up to a budget and beyond it in a temporary file. Easy to get wrong: what is
 * spilled is put in the order of the shards first, so that a shard is read back in a few large pieces.
 */
import type { Run } from './block.ts';
import { SpillFile } from './spill-file.ts';
import { shardCount } from './thread-hash.ts';

/** A stretch of the temporary file that holds records of one shard. */
export interface FilePart {
  readonly descriptor: number;
  /** In bytes. */
  readonly offset: number;
  readonly length: number;
}

/** The rows of one shard. Survives structured cloning; the memory of `rows` may be sent and given back. */
export interface ShardParts {
  /** Records (record.ts) in the order of the text. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /** Records that come before them, in the temporary file. */
  readonly files: readonly FilePart[];
  /** Names of packed rows, by dictionary and number. */
  readonly dictionaries: ReadonlyMap<number, readonly string[]>;
}

interface Spilled {
  readonly offset: number;
  /** Bytes of the shards before, within the spill. */
  readonly offsets: Float64Array;
}

/** Pieces are gathered up to this many words before they are written. */
const gatherWords = 1 << 20;

/** Takes runs in the order of the text. *Cost*: memory up to the budget; every row is written at most once. */
export class ShardStore {
  readonly #budgetBytes: number;
  #runs: Pick<Run, 'rows' | 'offsets'>[] = [];
  #heldBytes = 0;
  #file: SpillFile | null = null;
  readonly #spilled: Spilled[] = [];
  readonly #dictionaries = new Map<number, string[]>();
  #spare: ArrayBuffer[] = [];

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  /** Keeps a run. *Fails* with OperatorError where it must spill and cannot. */
  add({ rows, offsets, dictionary, first, names }: Run): void {
    let known = this.#dictionaries.get(dictionary);
    if (known === undefined) this.#dictionaries.set(dictionary, (known = []));
    for (const [index, name] of names.entries()) known[first + index] = name;
    if (rows.length === 0) return;
    this.#runs.push({ rows, offsets });
    this.#heldBytes += rows.byteLength + offsets.byteLength;
    if (this.#heldBytes > this.#budgetBytes) this.#spill();
  }

  /**
   * No run follows. Where rows were spilled the others join them: the threads that read shards back need the memory.
   * *Fails* as {@link add} does.
   */
  end(): void {
    if (this.#file !== null && this.#runs.length > 0) this.#spill();
  }

  /** Bytes in the temporary file. */
  get spilledBytes(): number {
    return this.#file?.length ?? 0;
  }

  /** The rows of a shard; null when it has none. *Cost*: a copy of what is in memory. */
  parts(shard: number): ShardParts | null {
    const files: FilePart[] = [];
    for (const { offset, offsets } of this.#spilled) {
      const start = offsets[shard] ?? 0;
      const length = (offsets[shard + 1] ?? 0) - start;
      if (length > 0 && this.#file !== null) {
        files.push({ descriptor: this.#file.descriptor, offset: offset + start, length });
      }
    }
    let words = 0;
    for (const { offsets } of this.#runs) words += (offsets[shard + 1] ?? 0) - (offsets[shard] ?? 0);
    if (files.length === 0 && words === 0) return null;
    const rows = new Uint32Array(this.#memory(4 * words), 0, words);
    let at = 0;
    for (const run of this.#runs) {
      const piece = run.rows.subarray(run.offsets[shard], run.offsets[shard + 1]);
      rows.set(piece, at);
      at += piece.length;
    }
    return { rows, files, dictionaries: this.#dictionaries };
  }

  /** Takes memory back that {@link parts} gave out: touching new memory costs more than filling it. */
  reuse(memory: ArrayBuffer): void {
    this.#spare.push(memory);
  }

  /** Gives memory and file back. */
  close(): void {
    this.#runs = [];
    this.#spare = [];
    this.#file?.close();
    this.#file = null;
  }

  #memory(bytes: number): ArrayBuffer {
    const found = this.#spare.findIndex((memory) => memory.byteLength >= bytes);
    const [memory] = found < 0 ? [] : this.#spare.splice(found, 1);
    // Shards have about one size; a little more lets the next one fit too.
    return memory ?? new ArrayBuffer(4 * Math.ceil((1.125 * bytes) / 4));
  }

  #spill(): void {
    const file = (this.#file ??= new SpillFile());
    const offset = file.length;
    const offsets = new Float64Array(shardCount + 1);
    const gathered = new Uint32Array(gatherWords);
    let used = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      for (const run of this.#runs) {
        const piece = run.rows.subarray(run.offsets[shard], run.offsets[shard + 1]);
        if (used + piece.length > gatherWords) {
          file.append(bytesOf(gathered, used));
          used = 0;
        }
        if (piece.length > gatherWords) file.append(bytesOf(piece, piece.length));
        else {
          gathered.set(piece, used);
          used += piece.length;
        }
      }
      offsets[shard + 1] = file.length + 4 * used - offset;
    }
    file.append(bytesOf(gathered, used));
    this.#spilled.push({ offset, offsets });
    this.#runs = [];
    this.#heldBytes = 0;
  }
}

function bytesOf(words: Uint32Array, count: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, 4 * count);
}
