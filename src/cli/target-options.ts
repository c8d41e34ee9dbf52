/** Options of `forkscope race` that fire at a service of somebody else in place of workers of our own. */
import type { Argv } from 'yargs';
import type { Scenario } from '#trials/scenario.ts';
import { BadTemplate } from '../target/bad-template.ts';
import { checkTemplates, defaultBody } from '../target/request-template.ts';
import type { TargetOptions } from '../target/target-options.ts';
import { unsupported } from '../target/unsupported.ts';
import { BadArguments } from './fail.ts';
import { numberBetween } from './option-value.ts';

/** What the options come to. */
export interface TargetArguments {
  target: readonly string[] | undefined;
  body: string;
  header: readonly string[];
  effects: string | undefined;
  schema: string;
  quiet: number;
  deadline: number;
}

const group = 'A running service:';

/** Adds the options. */
export function withTargetOptions<T>(yargs: Argv<T>): Argv<T & TargetArguments> {
  return yargs
    .option('target', {
      type: 'string',
      array: true,
      nargs: 1,
      describe:
        'fire at this URL instead of own workers, such as http://10.0.0.7/threads/{thread}/runs; once for each pod or host, so that racing requests land on different ones',
      group,
    })
    .option('body', {
      type: 'string',
      default: defaultBody,
      describe: 'JSON that is posted, with places {thread}, {run} and {input}',
      group,
    })
    .option('header', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'a header such as "authorization: Bearer …"; may be given several times, never stored',
      group,
    })
    .option('effects', {
      type: 'string',
      requiresArg: true,
      describe: "the effect log that the service's nodes append to (examples/node-server shows its lines)",
      group,
    })
    .option('schema', {
      type: 'string',
      default: 'public',
      describe: "the schema in --db that holds the service's checkpoint tables; it is only read",
      group,
    })
    .option('quiet', {
      type: 'number',
      default: 3,
      coerce: numberBetween(0.1, 600, '--quiet'),
      describe: 'seconds without a new row or effect after which a run counts as over',
      group,
    })
    .option('deadline', {
      type: 'number',
      default: 300,
      coerce: numberBetween(1, 86_400, '--deadline'),
      describe: 'seconds after which a trial is aborted',
      group,
    });
}

/**
 * How the service is to be raced.
 * @throws {BadArguments} what the options leave out or contradict, or what of the scenario no service can be asked for
 */
export function targetOptions(
  argv: TargetArguments & { arms: string | undefined; db: string | undefined; durability: unknown },
  scenario: Scenario,
  rest: Pick<TargetOptions, 'trials' | 'parallel' | 'scale' | 'seed' | 'interval' | 'out'>,
): TargetOptions {
  const { target = [], body, db, effects, schema } = argv;
  if (db === undefined) throw new BadArguments("--target needs --db: the database of the service's saver");
  if (effects === undefined)
    throw new BadArguments("--target needs --effects: the log that the service's nodes append to");
  for (const option of ['arms', 'durability'] as const)
    if (argv[option] !== undefined)
      throw new BadArguments(`--${option} says what own workers do; a --target does what it does`);
  const reason = unsupported(scenario);
  if (reason !== null)
    throw new BadArguments(`--target: scenario ${scenario.name} needs workers of our own: ${reason}`);
  try {
    checkTemplates(target, body);
  } catch (error) {
    if (error instanceof BadTemplate) throw new BadArguments(error.message);
    throw error;
  }
  return {
    ...rest,
    ...{ scenario, urls: target, body, db, effects, schema },
    headers: Object.fromEntries(argv.header.map(headerOf)),
    quietMs: argv.quiet * 1000,
    deadlineMs: argv.deadline * 1000,
  };
}

function headerOf(text: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? [];
  // The text may hold a secret, so it is not repeated.
  if (name === undefined || value === undefined)
    throw new BadArguments('--header is not of the form "name: value"');
  return [name.toLowerCase(), value];
}
