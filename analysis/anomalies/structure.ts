/**
 * Irregular rows: parents that are absent, children that sort before their parents, ids that occur twice. None is a
 * fault of the thread by itself; each limits what the rest of its rows can tell.
 */
import type { Finding, Undecided } from '#analysis/model/finding.ts';
import { noParent, rowAt } from '#analysis/lineage/tree.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found } from './found.ts';

/** Reports rows whose parent is absent. What ran above them is unknown. */
export function detectDanglingParents(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  const undecided: Undecided[] = [];
  for (const { account } of facts.namespaces) {
    for (const at of account.tree.orphans) {
      const row = rowAt(account.tree, at);
      findings.push(
        found(facts, 'dangling-parent', {
          namespace: account.namespace,
          because: `${row.id} names parent ${String(row.parent)}, which has no row`,
          witness: [row.id, String(row.parent)],
        }),
      );
    }
    const cut = account.tree.orphans.filter((at) => rowAt(account.tree, at).source === 'loop').length;
    if (cut > 0) {
      undecided.push({
        question: 'what ran before the rows whose parent is absent',
        reason: `${cut} loop rows of namespace '${account.namespace}' have no parent row`,
      });
    }
  }
  return { findings, undecided };
}

/** Reports children whose id is not greater than their parent's, one finding a namespace. */
export function detectInvertedOrder(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  for (const { account } of facts.namespaces) {
    const { tree } = account;
    if (tree.isChain) continue;
    const inverted: number[] = [];
    for (let at = 0; at < tree.rows.length; at++) {
      const parent = tree.parentOf[at] ?? noParent;
      if (parent > at) inverted.push(at);
    }
    const [first] = inverted;
    if (first === undefined) continue;
    const child = rowAt(tree, first);
    findings.push(
      found(facts, 'inverted-order', {
        namespace: account.namespace,
        because: `${child.id} sorts before its parent ${String(child.parent)}: two clocks disagree`,
        witness: [child.id, String(child.parent)],
        details: { rows: inverted.length },
      }),
    );
  }
  return { findings, undecided: [] };
}

/** Says what duplicate ids and cycles leave open. A real table has neither; an export may. */
export function detectRejectedRows(facts: ThreadFacts): Detection {
  const undecided: Undecided[] = [];
  for (const { account } of facts.namespaces) {
    const { rejected } = account.tree;
    if (rejected.length === 0) continue;
    undecided.push({
      question: 'which rows are real',
      reason: `${rejected.length} rows of namespace '${account.namespace}' repeat an id or are their own ancestor`,
    });
  }
  return { findings: [], undecided };
}

/** Says where executions are not known exactly. */
export function detectIncompleteEdges(facts: ThreadFacts): Detection {
  const undecided: Undecided[] = [];
  for (const { account, edges } of facts.namespaces) {
    const reasons = new Map<string, number>();
    for (const edge of edges) {
      if (edge.incomplete === null || edge.kind === 'dangling') continue;
      reasons.set(edge.incomplete, (reasons.get(edge.incomplete) ?? 0) + 1);
    }
    for (const [reason, edgesOpen] of reasons) {
      undecided.push({
        question: `how often nodes ran on ${edgesOpen} edges of namespace '${account.namespace}'`,
        reason,
      });
    }
  }
  return { findings: [], undecided };
}
