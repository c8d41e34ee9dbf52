/** `forkscope trials`: the scenarios there are, what each claims, and its plan. */
import { writeFileSync } from 'node:fs';
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import type { RequestPlan, Scenario } from '#trials/scenario.ts';
import { scenarios } from '#trials/scenarios/registry.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { experiments } from '../experiments/registry.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { printable } from '../report/printable.ts';
import { shellWord } from '../report/shell-word.ts';
import { scenarioTemplate } from '../scenario-file/template.ts';
import { exitCodeHelp } from './exit-code.ts';

interface TrialsArguments {
  init: string | undefined;
  format: 'table' | 'json';
}

/** See the file's head. */
export const trialsCommand: CommandModule<unknown, TrialsArguments> = {
  command: 'trials',
  describe: 'list the scenarios that race can run',
  builder: (yargs: Argv): Argv<TrialsArguments> =>
    yargs
      .option('format', {
        choices: ['table', 'json'] as const,
        default: 'table' as const,
        describe: 'output format',
      })
      .option('init', {
        type: 'string',
        describe: 'write a scenario file to begin with and list nothing; left empty: forkscope-scenario.ts',
      })
      .example('$0 trials --init', 'a scenario of your own, which runs as it is')
      .example('$0 trials', 'names, claims and plans')
      .example('$0 trials --format json', 'the declarations as data')
      .epilogue(exitCodeHelp),
  handler: (argv: ArgumentsCamelCase<TrialsArguments>) => {
    if (argv.init !== undefined) {
      writeTemplate(argv.init === '' ? 'forkscope-scenario.ts' : argv.init);
      return;
    }
    process.stdout.write(
      argv.format === 'json'
        ? `${asJson()}\n`
        : `${[...scenarios.map(asText), ...experiments.map(experimentText)].join('\n\n')}\n`,
    );
  },
};

function writeTemplate(path: string): void {
  try {
    writeFileSync(path, scenarioTemplate, { flag: 'wx' });
  } catch (cause) {
    throw new OperatorError({
      happened: `the scenario file cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      place: path,
      remedy: 'Name a file that is not there yet, in a folder that can be written.',
      cause,
    });
  }
  process.stdout.write(
    `written: ${printable(path, 400)}\nrun it: forkscope race ${shellWord(asPath(path)) ?? printable(asPath(path), 400)}\n`,
  );
}

/** A bare name would be taken for that of a scenario. */
function asPath(path: string): string {
  return path.includes('/') ? path : `./${path}`;
}

function experimentText({ name, summary, claim, arms }: Experiment): string {
  return [`${name}: ${summary}`, `  claim: ${claim}`, ...armLines(arms)].join('\n');
}

function armLines(arms: readonly { readonly name: string; readonly summary: string }[]): readonly string[] {
  return arms.length < 2 ? [] : ['  arms:', ...arms.map(({ name, summary }) => `    ${name}: ${summary}`)];
}

function asText(scenario: Scenario): string {
  const stages = scenario.stages.map(
    ({ requests, settle }, index) =>
      `  ${index + 1}. ${requests.map(requestText).join(' and ')}, then wait until ${settle === 'run-ended' ? 'the runs have ended' : 'the client is done'}`,
  );
  return [
    `${scenario.name}: ${scenario.summary}`,
    `  claim: ${scenario.claim}`,
    ...stages,
    ...armLines(scenario.arms),
  ].join('\n');
}

function requestText(plan: RequestPlan): string {
  const { name, disconnectAfterChunk, offsetMs } = plan;
  const leaves = disconnectAfterChunk === null ? '' : ` (leaves after chunk ${disconnectAfterChunk})`;
  const offset = offsetMs === 0 ? '' : ` (+${offsetMs} ms)`;
  return `${name}${beginText(plan)}${leaves}${offset}`;
}

function beginText({ input, resume, from }: RequestPlan): string {
  const begin = resume !== undefined ? ' (answers the interrupt)' : input === null ? ' (resumes)' : '';
  if (from === undefined) return begin;
  return `${begin} (at ${from.at === 'head' ? 'the head, by id' : `the first checkpoint before ${from.node}`})`;
}

function asJson(): string {
  return JSON.stringify(
    [
      ...scenarios.map(({ graph, ...scenario }) => ({ ...scenario, graph: graph.name })),
      ...experiments.map(({ name, summary, claim, arms }) => ({ name, summary, claim, arms })),
    ],
    null,
    2,
  );
}
