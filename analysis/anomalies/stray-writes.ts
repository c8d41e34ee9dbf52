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
  const known = new Set<string>();
  for (const row of rows.checkpoints) known.add(row.id);
  const stray = new Map<Namespace, Map<CheckpointId, number>>();
  const oneNamespace = facts.thread.namespaces.length === 1;
  let lastKnown: CheckpointId | null = null;
  for (const { namespace, checkpoint } of rows.writes) {
    // Writes of one checkpoint mostly stand together.
    if (oneNamespace && checkpoint === lastKnown) continue;
    if (known.has(checkpoint) && hasRow(facts, namespace, checkpoint)) {
      lastKnown = checkpoint;
      continue;
    }
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

/** An id is unique within its namespace only; most threads have one. */
function hasRow(facts: ThreadFacts, namespace: Namespace, checkpoint: CheckpointId): boolean {
  if (facts.thread.namespaces.length === 1) return facts.thread.namespaces[0]?.namespace === namespace;
  return facts.thread.byName.get(namespace)?.find(checkpoint) !== undefined;
}
