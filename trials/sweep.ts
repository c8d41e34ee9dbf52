/**
 * A sweep: one arm many times over, its racers released further and further apart. Each gap is an arm of its own, so a
 * sweep is run, stored and counted as any series of several arms is. Easy to get wrong: offsets in a plan are scaled
 * with the graph's delays, while a gap is real milliseconds.
 */
import { racingOf, stagesOf, type Arm, type NonEmpty, type Scenario, type Stage } from './scenario.ts';

/** An arm and the racers that a sweep sets apart, in the order in which they are released. */
export interface SweptRace {
  readonly arm: Arm;
  readonly racers: readonly string[];
}

/** The racers of the arm's last racing stage; null when its requests never race. */
export function sweptRace(scenario: Scenario, arm: Arm): SweptRace | null {
  const stage = stagesOf(scenario, arm)[lastRacingStage(scenario, arm)];
  return stage === undefined ? null : { arm, racers: racersIn(scenario, stage) };
}

/** What an arm of a sweep is called. */
export function gapName(gapMs: number): string {
  return `gap=${gapMs}`;
}

/**
 * The arm with every racer released `gapMs` real milliseconds after the racer before it; the first keeps its offset. It
 * claims nothing and has no place in a grid, whatever the arm itself has.
 */
export function gapArm(scenario: Scenario, arm: Arm, gapMs: number, scale: number): Arm {
  const place = lastRacingStage(scenario, arm);
  const apart = (stage: Stage): Stage => {
    const racers = racersIn(scenario, stage);
    const base = stage.requests.find(({ name }) => name === racers[0])?.offsetMs ?? 0;
    const [first, ...others] = stage.requests;
    const shifted = (plan: typeof first): typeof first =>
      racers.includes(plan.name)
        ? { ...plan, offsetMs: base + (racers.indexOf(plan.name) * gapMs) / scale }
        : plan;
    return { ...stage, requests: [shifted(first), ...others.map(shifted)] };
  };
  return {
    ...withoutClaim(arm),
    name: gapName(gapMs),
    summary: `${arm.name}, its racers ${gapMs} ms apart`,
    stages: replaced(stagesOf(scenario, arm), place, apart),
  };
}

/** The arm up to its race, with the first racer alone: how long does its run take when nobody disturbs it? */
export function undisturbedArm(scenario: Scenario, arm: Arm): Arm {
  const place = lastRacingStage(scenario, arm);
  const [first, ...rest] = stagesOf(scenario, arm).slice(0, place + 1);
  const alone = (stage: Stage): Stage => {
    const [, ...others] = racersIn(scenario, stage);
    const [head, ...tail] = stage.requests.filter(({ name }) => !others.includes(name));
    return head === undefined ? stage : { ...stage, requests: [head, ...tail] };
  };
  const upToRace: NonEmpty<Stage> = first === undefined ? stagesOf(scenario, arm) : [first, ...rest];
  return {
    ...withoutClaim(arm),
    name: 'undisturbed',
    summary: `${arm.name}, its first racer alone`,
    stages: replaced(upToRace, place, alone),
  };
}

function lastRacingStage(scenario: Scenario, arm: Arm): number {
  const racing = racingOf(scenario, arm);
  return stagesOf(scenario, arm).findLastIndex(
    ({ requests }) => requests.filter(({ name }) => racing.includes(name)).length > 1,
  );
}

function racersIn({ racing }: Scenario, { requests }: Stage): readonly string[] {
  return requests
    .filter(({ name }) => racing.includes(name))
    .toSorted((a, b) => a.offsetMs - b.offsetMs)
    .map(({ name }) => name);
}

function withoutClaim(arm: Arm): Arm {
  const free: { -readonly [Key in keyof Arm]: Arm[Key] } = { ...arm };
  delete free.claim;
  delete free.cell;
  return free;
}

function replaced(stages: NonEmpty<Stage>, place: number, by: (stage: Stage) => Stage): NonEmpty<Stage> {
  const [first, ...others] = stages;
  return [
    place === 0 ? by(first) : first,
    ...others.map((stage, index) => (index + 1 === place ? by(stage) : stage)),
  ];
}
