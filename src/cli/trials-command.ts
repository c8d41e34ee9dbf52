/** `forkscope trials`: the scenarios there are, what each claims, and its plan. */
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import type { RequestPlan, Scenario } from '#trials/scenario.ts';
import { scenarios } from '#trials/scenarios/registry.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { experiments } from '../experiments/registry.ts';
import { exitCodeHelp } from './exit-code.ts';

interface TrialsArguments {
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
      .example('$0 trials', 'names, claims and plans')
      .example('$0 trials --format json', 'the declarations as data')
      .epilogue(exitCodeHelp),
  handler: (argv: ArgumentsCamelCase<TrialsArguments>) => {
    process.stdout.write(
      argv.format === 'json'
        ? `${asJson()}\n`
        : `${[...scenarios.map(asText), ...experiments.map(experimentText)].join('\n\n')}\n`,
    );
  },
};

function experimentText({ name, summary, claim }: Experiment): string {
  return `${name}: ${summary}\n  claim: ${claim}`;
}

function asText(scenario: Scenario): string {
  const stages = scenario.stages.map(
    ({ requests, settle }, index) =>
      `  ${index + 1}. ${requests.map(requestText).join(' and ')}, then wait until ${settle === 'run-ended' ? 'the runs have ended' : 'the client is done'}`,
  );
  const arms =
    scenario.arms.length === 1
      ? []
      : ['  arms:', ...scenario.arms.map(({ name, summary }) => `    ${name}: ${summary}`)];
  return [`${scenario.name}: ${scenario.summary}`, `  claim: ${scenario.claim}`, ...stages, ...arms].join(
    '\n',
  );
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
      ...experiments.map(({ name, summary, claim }) => ({ name, summary, claim })),
    ],
    null,
    2,
  );
}
