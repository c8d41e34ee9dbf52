/** A superstep that stopped half-way, or never began, with no error or interrupt to say why. */
import { headOf } from '#analysis/lineage/head.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import { nothingFound, type Detection, type ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

/** Reports a thread that has something left to do, that nobody does, and nothing that explains it. */
export function detectAbandonedThread(facts: ThreadFacts): Detection {
  const root = facts.thread.byName.get(rootNamespace);
  const { status, next, narrowed } = facts.standing;
  if (root === undefined || status !== 'abandoned') return nothingFound;
  const head = rowAt(root.tree, headOf(root.tree)).id;
  return {
    findings: [
      found(facts, 'abandoned-thread', {
        namespace: rootNamespace,
        because:
          narrowed === undefined
            ? `at ${head} some tasks finished and ${listText(next)} did not, and nothing says why`
            : `at ${head} ${narrowed.because}`,
        witness: [head],
        details: { next },
      }),
    ],
    undecided: [],
  };
}
