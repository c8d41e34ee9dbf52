/**
 * The checkpoints that the requests of a stage name. Easy to get wrong: two requests with equal choices must name one
 * id, so each choice is asked for once, before any request of the stage is released.
 */
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { CheckpointChoice, Stage } from '#trials/scenario.ts';
import { chosenCheckpoint } from './worker-client.ts';

/**
 * Asks for every choice of the stage. The answer gives a choice's id; undefined for a request that names none.
 * Rejects as {@link chosenCheckpoint} does.
 */
export async function startPoints(
  stage: Stage,
  ask: (choice: CheckpointChoice) => Promise<string>,
): Promise<(choice: CheckpointChoice | undefined) => string | undefined> {
  const choices = new Map<string, CheckpointChoice>();
  for (const { from } of stage.requests) if (from !== undefined) choices.set(keyOf(from), from);
  const ids = new Map(
    await Promise.all([...choices].map(async ([key, choice]) => [key, await ask(choice)] as const)),
  );
  return (choice) => (choice === undefined ? undefined : ids.get(keyOf(choice)));
}

/** Asks a worker. */
export function askWorker(address: string, thread: ThreadId, signal: AbortSignal) {
  return (choice: CheckpointChoice): Promise<string> => chosenCheckpoint(address, thread, choice, signal);
}

function keyOf(choice: CheckpointChoice): string {
  return choice.at === 'head' ? choice.at : `${choice.at} ${choice.node}`;
}
