/**
 * Follows the effect log that a service's nodes append to, from where it stood when the series began, and keeps the
 * records of the series' own threads. Easy to get wrong: the service numbers records over all its threads, so of a part
 * of them gaps mean nothing; the numbers are left out, and that records were lost can then not be told.
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { OperatorError } from '../failure/operator-error.ts';
import { AppendFile } from '../rundir/append-file.ts';
import { effectSchema } from '../source/effect-line.ts';

const pieceBytes = 64 << 10;
const ownerSchema = z.looseObject({ thread: z.string() });

/** See the file's head. *Cost*: each byte once, and a number a thread. */
export class TargetEffects {
  readonly #path: string;
  readonly #prefix: string;
  readonly #copy: AppendFile;
  readonly #counts = new Map<string, number>();
  readonly #decoder = new StringDecoder('utf8');
  #offset: number;
  #rest = '';

  /** `prefix`: what the ids of the series' threads begin with; `copy`: where their records go. */
  constructor(path: string, prefix: string, copy: string) {
    this.#path = path;
    this.#prefix = prefix;
    this.#copy = new AppendFile(copy);
    this.#offset = existsSync(path) ? statSync(path).size : 0;
  }

  /** Records of the thread by now. *Fails* with an OperatorError on a record of the series that cannot be read. */
  of(thread: string): number {
    this.#readOn();
    return this.#counts.get(thread) ?? 0;
  }

  close(): void {
    this.#copy.close();
  }

  #readOn(): void {
    if (!existsSync(this.#path)) return;
    const descriptor = openSync(this.#path, 'r');
    try {
      const piece = Buffer.alloc(pieceBytes);
      for (;;) {
        const read = readSync(descriptor, piece, 0, pieceBytes, this.#offset);
        if (read === 0) return;
        this.#offset += read;
        const lines = (this.#rest + this.#decoder.write(piece.subarray(0, read))).split('\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) this.#take(line);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  #take(line: string): void {
    if (!line.includes(this.#prefix)) return;
    let raw: unknown;
    try {
      raw = JSON.parse(line);
    } catch (cause) {
      throw this.#unreadable(line, 'it is no JSON', cause);
    }
    const owner = ownerSchema.safeParse(raw);
    if (!owner.success) throw this.#unreadable(line, 'it names no thread', owner.error);
    if (!owner.data.thread.startsWith(this.#prefix)) return;
    const record = { ...owner.data, seq: null };
    const checked = effectSchema.safeParse(record);
    if (!checked.success) throw this.#unreadable(line, z.prettifyError(checked.error), checked.error);
    this.#copy.writeText(`${JSON.stringify(record)}\n`);
    this.#counts.set(owner.data.thread, (this.#counts.get(owner.data.thread) ?? 0) + 1);
  }

  #unreadable(line: string, why: string, cause: unknown): OperatorError {
    return new OperatorError({
      happened: `a record of the effect log cannot be read: ${why}: ${line.slice(0, 200)}`,
      place: this.#path,
      remedy: 'Write one JSON object a line with the keys that examples/node-server writes.',
      cause,
    });
  }
}
