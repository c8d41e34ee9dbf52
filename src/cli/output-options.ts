/**
 * Options that say which threads are listed and which counts end a pipeline. Easy to get wrong: a filter of the list
 * must not become a filter of the verdict.
 */
import type { Argv } from 'yargs';
import { measures, parseFailOn, type Threshold } from '../audit/fail-on.ts';
import { listedKinds, type ListedKind, type Listing } from '../audit/listed-threads.ts';

/** What the options come to. */
export interface OutputArguments {
  'all-threads': boolean;
  only: readonly ListedKind[] | undefined;
  'fail-on': readonly Threshold[] | undefined;
}

/** Adds the options. A value that cannot be read ends with the help and exit code 64. */
export function withOutputOptions<T>(yargs: Argv<T>): Argv<T & OutputArguments> {
  return yargs
    .option('all-threads', {
      type: 'boolean',
      default: false,
      describe: 'list every thread in json and ndjson, not only those with warnings or errors',
      group: 'Output:',
    })
    .option('only', {
      type: 'string',
      requiresArg: true,
      coerce: onlyKinds,
      describe:
        'list only threads that show one of these: kinds of findings, or race; separated by commas. Totals and verdict stay those of all threads',
      group: 'Output:',
    })
    .option('fail-on', {
      type: 'string',
      requiresArg: true,
      coerce: thresholds,
      describe: `exit with 1 for what is no error by itself too: names or bounds, such as shared-blob,hidden>0,forks>10; separated by commas, may be given again. Names: ${measures.join(', ')}`,
      group: 'Output:',
    })
    .check(({ only, allThreads }: { only?: unknown; allThreads?: unknown }) =>
      only !== undefined && allThreads === true
        ? '--only and --all-threads are mutually exclusive: one lists some, the other all.'
        : true,
    );
}

/** What the options ask of a list. */
export function listingOf(argv: {
  readonly allThreads: boolean;
  readonly only?: readonly ListedKind[] | undefined;
}): Listing {
  return { all: argv.allThreads, only: argv.only ?? null };
}

function onlyKinds(value: unknown): readonly ListedKind[] | undefined {
  if (value === undefined) return undefined;
  return words(value).map((word) => {
    const kind = listedKinds.find((known) => known === word);
    if (kind !== undefined) return kind;
    throw new RangeError(`--only ${JSON.stringify(word)}: there is ${listedKinds.join(', ')}.`);
  });
}

function thresholds(value: unknown): readonly Threshold[] | undefined {
  if (value === undefined) return undefined;
  const parsed = parseFailOn(words(value).join(','));
  if (parsed.kind === 'thresholds') return parsed.thresholds;
  throw new RangeError(`--fail-on: ${parsed.message}.`);
}

/** An option that was given again comes as a list. */
function words(value: unknown): readonly string[] {
  const given = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return given.flatMap((text) => String(text).split(',')).map((word) => word.trim());
}
