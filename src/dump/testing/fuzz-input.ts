/**
 * One damaged input, read and analysed as an audit does. Easy to get wrong: "it did not crash" is a weak law, so the
 * same bytes are also read in other chunks, with less memory and on past faults, and have to mean the same.
 */
import { writeFileSync } from 'node:fs';
import { prepareAnalysis, type Analyser } from '#analysis/prepare.ts';
import { Chance } from '#src/chance.ts';
import { OperatorError } from '../../failure/operator-error.ts';
import { threadLine } from '../../report/audit-json.ts';
import { openDumpSource } from '../../source/dump-source.ts';
import type { DumpSource } from '../open-dump.ts';
import { fuzzTexts } from './fuzz-texts.ts';
import { damaged } from './mutations.ts';
import { chunked } from './read-all.ts';

/** What reading came to: every thread's report as a line, or what the operator is told. */
type Outcome =
  | { readonly kind: 'threads'; readonly reports: readonly string[]; readonly isWhole: boolean }
  | { readonly kind: 'refused'; readonly message: string };

/** Reads damaged inputs. To be made once: it unpacks what they are made from. */
export class Fuzzer {
  readonly #texts = fuzzTexts();
  readonly #analyse: Analyser;
  readonly #path: string;

  private constructor(analyse: Analyser, path: string) {
    this.#analyse = analyse;
    this.#path = path;
  }

  /** `path`: a file that inputs are written to which are read by name. */
  static async open(path: string): Promise<Fuzzer> {
    return new Fuzzer(await prepareAnalysis({ rules: [] }), path);
  }

  /** The input of a seed: always the same bytes. */
  input(seed: number): Buffer {
    return this.#damage(new Chance(seed, 0));
  }

  /** Reads the input of a seed; returns how it ended. *Fails* with whatever reading should never fail with. */
  async run(seed: number): Promise<Outcome['kind']> {
    const chance = new Chance(seed, 0);
    const bytes = this.#damage(chance);
    const strict = await this.#read(this.#piped(bytes), false, undefined);
    const sizes = Array.from({ length: chance.between(1, 5) }, () => chance.between(1, 3_000));
    const again = [...sizes, 4_096];
    switch (chance.between(0, 4)) {
      case 0:
        same(
          await this.#read(this.#piped(bytes, again), false, undefined),
          strict,
          `in chunks of ${again.join()}`,
        );
        break;
      case 1:
        same(await this.#read(this.#piped(bytes, again), false, 1), strict, 'spilled');
        break;
      case 2: {
        writeFileSync(this.#path, bytes);
        const named = await this.#read({ kind: 'file', path: this.#path }, false, undefined);
        // Values that no report needs are not read from a file, so damage in them alone is not met there.
        if (strict.kind === 'threads') same(named, strict, 'by name');
        else await this.#read({ kind: 'file', path: this.#path }, true, undefined);
        break;
      }
      default: {
        const lenient = await this.#read(this.#piped(bytes), true, undefined);
        if (strict.kind === 'threads') same(lenient, strict, 'on past faults');
        else if (lenient.kind === 'threads' && lenient.isWhole)
          throw new Error(`a fault was passed over in silence: ${strict.message}`);
      }
    }
    return strict.kind;
  }

  #damage(chance: Chance): Buffer {
    const text = this.#texts[chance.between(0, this.#texts.length)] ?? Buffer.alloc(0);
    return damaged(text, chance);
  }

  /** Under the name of the file, so that messages agree. */
  #piped(bytes: Buffer, sizes?: readonly number[]): DumpSource {
    return { ...chunked(bytes, sizes), name: this.#path };
  }

  async #read(dump: DumpSource, keepGoing: boolean, memoryBytes: number | undefined): Promise<Outcome> {
    const all = { threads: null, schema: null };
    const kept = dump.kind === 'stream' ? { keptValueBytes: 1 << 20 } : {};
    const reading = {
      nodes: false,
      keepGoing,
      ...kept,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    };
    try {
      const source = await openDumpSource(dump, all, reading);
      try {
        const reports: string[] = [];
        for await (const evidence of source.threads())
          reports.push(threadLine(await this.#analyse(evidence)));
        const faults = source.faults?.length ?? 0;
        return { kind: 'threads', reports, isWhole: faults === 0 && (source.skipped?.count ?? 0) === 0 };
      } finally {
        source.close?.();
      }
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return { kind: 'refused', message: error.message };
    }
  }
}

function same(found: Outcome, expected: Outcome, how: string): void {
  const [one, other] = [found, expected].map((outcome) => JSON.stringify(outcome));
  if (one !== other) {
    throw new Error(`read ${how} it is ${shortened(one)} and not ${shortened(other)}`);
  }
}

function shortened(text = ''): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
