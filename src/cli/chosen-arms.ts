/** Which arms `--arms` asks for. Names are checked before anything starts. */
import type { Arm, NonEmpty, Scenario } from '#trials/scenario.ts';
import { sweptRace, type SweptRace } from '#trials/sweep.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { BadArguments } from './fail.ts';

/** The arms in the order of the scenario, so that its baseline comes first. *Fails* with BadArguments. */
export function chosenArms({ name, arms, defaultArms }: Scenario, asked: string | undefined): NonEmpty<Arm> {
  if (asked === 'all' || (asked === undefined && defaultArms === 'all')) return arms;
  if (asked === undefined) return [arms[0]];
  const wanted = askedNames(`scenario ${name}`, arms, asked);
  const [first, ...others] = arms.filter((arm) => wanted.has(arm.name));
  if (first === undefined) throw new BadArguments('--arms names no arm');
  return [first, ...others];
}

/** The one arm of a sweep, the baseline unless another is asked for. *Fails* with BadArguments. */
export function chosenSweep(scenario: Scenario, asked: string | undefined): SweptRace {
  const [arm, ...others] = asked === undefined ? [scenario.arms[0]] : chosenArms(scenario, asked);
  if (others.length > 0)
    throw new BadArguments('--sweep: a sweep is of one arm; name one with --arms, or none for the baseline.');
  const race = sweptRace(scenario, arm);
  if (race !== null) return race;
  throw new BadArguments(
    `--sweep: arm ${arm.name} of ${scenario.name} releases no two racing requests together, so there is no gap to sweep.`,
  );
}

/** Names of an experiment's arms; null: all. *Fails* with BadArguments. */
export function chosenExperimentArms(
  { name, arms }: Experiment,
  asked: string | undefined,
): readonly string[] | null {
  if (asked === undefined || asked === 'all') return null;
  if (arms.length === 0) throw new BadArguments(`--arms: ${name} has no arms to choose from`);
  return [...askedNames(`experiment ${name}`, arms, asked)];
}

function askedNames(
  owner: string,
  arms: readonly { readonly name: string }[],
  asked: string,
): ReadonlySet<string> {
  const wanted = new Set(asked.split(',').map((word) => word.trim()));
  for (const word of wanted) {
    if (arms.some((arm) => arm.name === word)) continue;
    const known = arms.map((arm) => arm.name).join(', ');
    throw new BadArguments(`--arms: ${owner} has no arm ${word}; it has ${known}`);
  }
  return wanted;
}
