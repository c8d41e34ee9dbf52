import { expect, test } from 'vitest';
import yargs from 'yargs';
import {
  checkKeepGoing,
  defaultMemoryBytes,
  readingRequest,
  sizeBytes,
  withReadingOptions,
} from './reading-options.ts';

test.each([
  ['400MB', 400_000_000],
  ['1.5GB', 1_500_000_000],
  ['512MiB', 536_870_912],
  ['1gib', 1_073_741_824],
  ['2 TB', 2_000_000_000_000],
])('%s is %i bytes', (text, bytes) => {
  expect(sizeBytes(text)).toBe(bytes);
});

test.each(['400', '400M', 'MB', '-1MB', '1e9MB', '1,5GB', '', '1.5555GB', '1GBB'])(
  '%j is no size',
  (text) => {
    expect(sizeBytes(text)).toBeNull();
  },
);

test('a machine gives a quarter of its memory, and never more than a gibibyte', () => {
  expect(defaultMemoryBytes(1e9)).toBe(250_000_000);
  expect(defaultMemoryBytes(64 * 2 ** 30)).toBe(2 ** 30);
});

function parsed(...words: string[]): unknown {
  return withReadingOptions(yargs(words))
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Error ? error : new Error(message);
    })
    .parseSync();
}

test('the options become a request', () => {
  const argv = parsed('--memory', '64MB', '--keep-going') as { memory: number; keepGoing: boolean };
  expect(readingRequest(argv)).toEqual({ reading: { memoryBytes: 64_000_000, keepGoing: true } });
  const usual = parsed() as { memory: number; keepGoing: boolean };
  expect(usual.keepGoing).toBe(false);
  expect(usual.memory).toBeGreaterThan(0);
});

test.each([
  ['no size', ['--memory', '400']],
  ['too little', ['--memory', '1kB']],
  ['two sizes', ['--memory', '1GB', '--memory', '2GB']],
  ['no value', ['--memory']],
])('%s is refused', (_, words) => {
  expect(() => parsed(...words)).toThrow(/--memory|memory/);
});

test('rows that were left out are never joined with a log or a ledger', () => {
  expect(checkKeepGoing(true, { effects: 'charges.csv' })).toContain('--effects');
  expect(checkKeepGoing(true, { ledger: ['jobs.csv'] })).toContain('--ledger');
  expect(checkKeepGoing(true, {})).toBe(true);
  expect(checkKeepGoing(false, { effects: 'charges.csv' })).toBe(true);
});
