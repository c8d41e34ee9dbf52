/**
 * Options that say what is read of a source and what is joined with it. Easy to get wrong: an option given twice comes
 * as a list, and an option meant for text must not turn `--thread 007` into a number.
 */
import type { Argv } from 'yargs';
import type { CountRule } from '#analysis/model/invariant.ts';
import { parseRule } from '#analysis/invariants/parse-rule.ts';
import { effectKeyHelp, effectKeys, parseEffectsMap, type EffectsMap } from '../source/effects-map.ts';
import type { SourceRequest } from '../source/open-source.ts';

/** What the options that serve one thread as well as many come to. */
export interface EvidenceArguments {
  effects: string | undefined;
  'effects-map': EffectsMap | undefined;
  rule: readonly CountRule[] | undefined;
  schema: string | undefined;
}

/** The same, and which threads are wanted. */
export interface SourceArguments extends EvidenceArguments {
  thread: readonly string[] | undefined;
}

/** Adds what can be asked of a single thread. A value that cannot be read ends with the help and exit code 64. */
export function withEvidenceOptions<T>(yargs: Argv<T>): Argv<T & EvidenceArguments> {
  return yargs
    .option('effects', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): string => one('--effects', value),
      describe: 'an effect log to join with the rows: JSON lines or CSV, gzipped or not; - is standard input',
      group: 'Effect log:',
    })
    .option('effects-map', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): EffectsMap => parseEffectsMap(many(value)),
      implies: 'effects',
      describe: `which field of the log says what: key=field,key=field. ${mapHelp()}`,
      defaultDescription:
        'recognised from the fields of forkscope’s own logs and of LangGraph’s configuration',
      group: 'Effect log:',
    })
    .option('rule', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): readonly CountRule[] => many(value).map(ruleOf),
      describe: 'a count rule that must hold in every thread, such as plan>=charge; may be given again',
      group: 'Rules:',
    })
    .option('schema', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): string => one('--schema', value),
      describe: 'only the tables of this schema',
      group: 'Filter:',
    });
}

/** Adds the same options, and those that choose among threads. */
export function withSourceOptions<T>(yargs: Argv<T>): Argv<T & SourceArguments> {
  return withEvidenceOptions(yargs).option('thread', {
    type: 'string',
    requiresArg: true,
    coerce: (value: unknown): readonly string[] => many(value),
    describe: 'only this thread; may be given again',
    group: 'Filter:',
  });
}

/**
 * The source as it was typed: yargs hands a positional `-` over as an empty text. Null for a text that really is empty,
 * such as an unset variable, which must not wait for standard input.
 */
export function sourcePlace(given: string, words: readonly string[]): string | null {
  if (given !== '') return given;
  return words.includes('-') ? '-' : null;
}

/** What is wrong with the source as it was typed, in the form that a check of yargs returns; true: nothing. */
export function checkSource(source: string, effects: string | undefined): string | true {
  const place = sourcePlace(source, process.argv.slice(2));
  if (place === null) return 'Name a source; it is empty.';
  return place === '-' && effects === '-' ? 'Only one of source and --effects can be -.' : true;
}

/** The request that the options make of a source, whichever of its threads are wanted. */
export function evidenceRequest(
  place: string,
  { effects, effectsMap }: EvidenceArguments & { readonly effectsMap?: EffectsMap | undefined },
): Pick<SourceRequest, 'place' | 'effects'> {
  return { place, effects: effects === undefined ? null : { file: effects, map: effectsMap ?? null } };
}

/** The request that all options make of a source. */
export function sourceRequest(
  place: string,
  argv: SourceArguments & { readonly effectsMap?: EffectsMap | undefined },
): SourceRequest {
  const { thread, schema } = argv;
  return {
    ...evidenceRequest(place, argv),
    filter: { threads: thread === undefined ? null : new Set(thread), schema: schema ?? null },
  };
}

function mapHelp(): string {
  const explained = Object.entries(effectKeyHelp).map(([key, text]) => `${key}: ${text}`);
  return `Keys: ${effectKeys.join(', ')}. ${explained.join('; ')}. a.b looks inside objects`;
}

function ruleOf(text: string): CountRule {
  const parsed = parseRule(text);
  if (parsed.kind === 'rule') return parsed.rule;
  throw new RangeError(`--rule ${JSON.stringify(text)}: ${parsed.message}.`);
}

/** What an option was given, one text each time. */
export function many(value: unknown): readonly string[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(String);
}

/** What an option was given, which may be given once only. */
export function one(option: string, value: unknown): string {
  const [first = '', ...others] = many(value);
  if (others.length > 0) throw new RangeError(`${option} may be given once.`);
  return first;
}
