import { expect, test } from 'vitest';
import yargs from 'yargs';
import { listingOf, withOutputOptions, type OutputArguments } from './output-options.ts';

interface Parsed extends Pick<OutputArguments, 'only'> {
  readonly allThreads: boolean;
  readonly failOn: OutputArguments['fail-on'];
}

function parsed(...words: string[]): Parsed {
  return withOutputOptions(yargs(words))
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Error ? error : new Error(message);
    })
    .parseSync();
}

test('without them every bad thread is listed and nothing else fails', () => {
  const argv = parsed();
  expect(argv.failOn).toBeUndefined();
  expect(listingOf(argv)).toEqual({ all: false, only: null });
});

test('thresholds may be given at once or again', () => {
  const once = parsed('--fail-on', 'race,hidden>3').failOn;
  expect(once).toEqual(parsed('--fail-on', 'race', '--fail-on', 'hidden>3').failOn);
  expect(once?.map(({ measure, most }) => [measure, most])).toEqual([
    ['race', 0],
    ['hidden', 3],
  ]);
});

test('--only lists kinds', () => {
  expect(listingOf(parsed('--only', 'race, shared-blob'))).toEqual({
    all: false,
    only: ['race', 'shared-blob'],
  });
});

test.each([
  ['a kind that there is not', ['--only', 'forks'], /--only "forks"/],
  ['a count that there is not', ['--fail-on', 'rows>3'], /nothing called rows/],
  ['a list of all and of some', ['--all-threads', '--only', 'race'], /mutually exclusive/],
])('%s is refused', (_, words, message) => {
  expect(() => parsed(...words)).toThrow(message);
});
