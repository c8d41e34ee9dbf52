/**
 * The suspicious threads of a database as the choice of what to read of it, and what stays behind in numbers. Easy to
 * get wrong: the reading must see the moment of the census, so both use one transaction.
 */
import type { LiveTable } from '../live/live-tables.ts';
import type { WantedThreads } from '../live/reading-plan.ts';
import type { SurveyedSource } from '../source/source.ts';
import { census, type CensusSession } from './census.ts';
import type { Mark } from './marks.ts';

/** What a census found, whole. */
export interface Suspects {
  readonly chosen: WantedThreads;
  readonly survey: SurveyedSource;
}

/** Takes a census. *Cost*: {@link census}; memory for the suspicious threads' names, about 100 MB a million. */
export async function findSuspects(session: CensusSession, tables: readonly LiveTable[]): Promise<Suspects> {
  const chosen = new Map<string, string[]>();
  const marked = new Map<Mark, number>();
  const sums = { threads: 0, namespaces: 0, checkpoints: 0 };
  let analysed = 0;
  for await (const item of census(session, tables)) {
    if (item.kind === 'totals') {
      sums.threads += item.threads;
      sums.namespaces += item.namespaces;
      sums.checkpoints += item.checkpoints;
      continue;
    }
    analysed += 1;
    for (const mark of item.marks) marked.set(mark, (marked.get(mark) ?? 0) + 1);
    const known = chosen.get(item.schema);
    if (known === undefined) chosen.set(item.schema, [item.thread]);
    else known.push(item.thread);
  }
  return { chosen, survey: { ...sums, analysed, marks: marked } };
}
