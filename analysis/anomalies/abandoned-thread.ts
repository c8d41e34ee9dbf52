/** A superstep that stopped half-way, with no error or interrupt to say why. */
import { headOf } from '#analysis/lineage/head.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import { nothingFound, type Detection, type ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

/** Reports a thread whose head has finished and unfinished tasks and nothing that explains it. */
export function detectAbandonedThread(facts: ThreadFacts): Detection {
  const root = facts.thread.byName.get(rootNamespace);
  if (root === undefined || facts.standing.status !== 'abandoned') return nothingFound;
  const head = rowAt(root.tree, headOf(root.tree)).id;
  return {
    findings: [
      found(facts, 'abandoned-thread', {
        namespace: rootNamespace,
        because: `at ${head} some tasks finished and ${listText(facts.standing.next)} did not, and nothing says why`,
        witness: [head],
        details: { next: facts.standing.next },
      }),
    ],
    undecided: [],
  };
}
