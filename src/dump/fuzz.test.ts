/**
 * Can a damaged file crash the reader or the analysis? A thousand inputs of a new seed on every run; the benchmark
 * `fuzz` reads a hundred thousand, with a limit of time and memory for each.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fuzzer } from './testing/fuzz-input.ts';

/** FORKSCOPE_FUZZ_SEED repeats a run. */
const first = Number(process.env['FORKSCOPE_FUZZ_SEED'] ?? randomInt(2 ** 31));
const count = 1_000;

let folder: string;
let fuzzer: Fuzzer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forkscope-fuzz-'));
  fuzzer = await Fuzzer.open(join(folder, 'damaged.sql'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe(`damaged inputs, seeds from ${first} on`, () => {
  test('end in threads or in an operator error, the same in any chunks, spilled, by name and on past faults', async () => {
    const ends = { threads: 0, refused: 0 };
    const failures: string[] = [];
    for (let seed = first; seed < first + count; seed += 1) {
      try {
        ends[await fuzzer.run(seed)] += 1;
      } catch (error) {
        failures.push(
          `seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      }
    }
    expect(failures).toEqual([]);
    // Damage that is always or never refused would try nothing.
    expect(Math.min(ends.threads, ends.refused)).toBeGreaterThan(count / 20);
  }, 300_000);

  test('are the same bytes for the same seed', () => {
    expect(fuzzer.input(first)).toEqual(fuzzer.input(first));
    expect(fuzzer.input(first)).not.toEqual(fuzzer.input(first + 1));
  });
});
