/**
 * A source of which only the chosen threads are told. It is read whole, since the newest row of a thread may come last.
 * Easy to get wrong: a log's records of a thread that was left out are not lost rows, so what is left out is noted.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { Source } from './source.ts';
import { isInWindow, NewestThreads, newestActivity, type ThreadChoice } from './thread-choice.ts';

/** The same source, chosen from. *Cost*: with a limit, holds up to twice so many threads in memory at once. */
export function chosenSource(source: Source, choice: ThreadChoice, note: (sentence: string) => void): Source {
  const elsewhere = new Set(source.elsewhere);
  return { ...source, elsewhere, threads: () => chosen(source, choice, elsewhere, note) };
}

async function* chosen(
  source: Source,
  choice: ThreadChoice,
  elsewhere: Set<string>,
  note: (sentence: string) => void,
): AsyncGenerator<ThreadEvidence> {
  const newest = choice.limit === null ? null : new NewestThreads<ThreadEvidence>(choice.limit);
  let undated = 0;
  for await (const evidence of source.threads()) {
    const { thread, checkpoints } = evidence.rows;
    const newestMs = newestActivity(checkpoints);
    if (!isInWindow(choice, newestMs)) {
      if (newestMs === null) undated += 1;
      elsewhere.add(thread);
    } else if (newest === null) yield evidence;
    else for (const { rows } of newest.add(thread, newestMs, evidence)) elsewhere.add(rows.thread);
  }
  const rest = newest?.end() ?? { newest: [], left: [] };
  for (const { rows } of rest.left) elsewhere.add(rows.thread);
  yield* rest.newest;
  if (undated > 0) note(undatedSentence(undated));
}

/** What should be said of threads that are in no window because no row of theirs tells a time. */
export function undatedSentence(threads: number): string {
  const many = threads === 1 ? '1 thread tells' : `${threads} threads tell`;
  return `${many} no time of a checkpoint and cannot be in the window of --since and --until: left out.`;
}
