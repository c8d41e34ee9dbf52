/**
 * Stored writes whose checkpoint row is absent: a crash before the row landed, a Command on an empty thread, pruning
 * by hand. One finding a namespace, since pruning leaves thousands.
 */
import type { Finding } from '#analysis/model/finding.ts';
import type { CheckpointId, Namespace } from '#analysis/model/identifiers.ts';
import { getOrMake } from '#analysis/model/maps.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

/** Reports checkpoints that writes name and that have no row. *Cost*: linear in the writes. */
export function detectStrayWrites(facts: ThreadFacts): Detection {
  const { rows } = facts.thread;
  if (rows.writes === null || rows.shallow === true) return { findings: [], undecided: [] };
  const stray = new Map<Namespace, Map<CheckpointId, number>>();
  const hasRow = rowFinder(facts);
  for (const { namespace, checkpoint } of rows.writes) {
    if (hasRow(namespace, checkpoint)) continue;
    const places = getOrMake(stray, namespace, () => new Map<CheckpointId, number>());
    places.set(checkpoint, (places.get(checkpoint) ?? 0) + 1);
  }
  const findings: Finding[] = [];
  for (const [namespace, places] of stray) {
    const ids = [...places.keys()].sort();
    const writes = [...places.values()].reduce((sum, count) => sum + count, 0);
    findings.push(
      found(facts, 'stray-write', {
        namespace,
        because: `${writes} stored writes name ${ids.length === 1 ? 'a checkpoint that has' : `${ids.length} checkpoints that have`} no row: ${listText(ids, 3)}`,
        witness: ids.slice(0, 3),
        details: { checkpoints: ids.length, writes },
      }),
    );
  }
  return { findings, undecided: [] };
}

/**
 * Answers whether a checkpoint has a row. Writes mostly come in the order of their rows, so a cursor over the rows of
 * the last namespace answers most questions; an index is made only when it does not.
 */
function rowFinder(facts: ThreadFacts): (namespace: Namespace, checkpoint: CheckpointId) => boolean {
  let account = facts.thread.namespaces[0];
  let cursor = 0;
  return (namespace, checkpoint) => {
    if (account?.namespace !== namespace) {
      account = facts.thread.byName.get(namespace);
      cursor = 0;
    }
    if (account === undefined) return false;
    const { rows } = account.tree;
    if (rows[cursor]?.id === checkpoint) return true;
    if (rows[cursor + 1]?.id === checkpoint) {
      cursor += 1;
      return true;
    }
    const found = account.find(checkpoint);
    if (found !== undefined) cursor = found;
    return found !== undefined;
  };
}
