/** One namespace of a report, from its facts: everything by id, nothing by index. */
import { rootNamespace, type NodeName } from './model/identifiers.ts';
import type { NodeCounts, NamespaceReport } from './model/report.ts';
import type { NamespaceFacts, ThreadFacts } from './anomalies/facts.ts';
import { addNodes, noCounts, type MutableCounts } from './executions/counts.ts';
import { attemptedNodes } from './executions/attempts.ts';
import { uncommittedTasks } from './executions/pending.ts';
import { headOf, lineageOf } from './lineage/head.ts';
import { rowAt } from './lineage/tree.ts';

/** Reports one namespace. */
export function reportNamespace(
  facts: ThreadFacts,
  { account, sums, forks }: NamespaceFacts,
): NamespaceReport {
  const { tree } = account;
  const id = (at: number) => rowAt(tree, at).id;
  const head = headOf(tree);
  return {
    namespace: account.namespace,
    writer: account.writer,
    checkpoints: tree.rows.length,
    roots: tree.roots.map(id),
    leaves: tree.leaves.map(id),
    head: head < 0 ? null : id(head),
    headLineage: tree.isChain ? tree.rows.map((row) => row.id) : lineageOf(tree, head).map(id),
    danglingParents: tree.orphans.map((at) => {
      const row = rowAt(tree, at);
      return { child: row.id, parent: row.parent ?? row.id };
    }),
    forks: forks.map((judged) => judged.fork),
    executions: {
      tree: sums.tree,
      head: sums.head,
      maxPath: sums.maxPath,
      pending: pendingCounts(facts, account),
      log: logCounts(facts, account.namespace),
    },
    hidden: sums.hidden,
    atLeast: withAttempts(
      sums.atLeast,
      attemptedNodes(facts.thread, account, facts.names, facts.evidence.log),
    ),
    atMost: sums.atMost,
  };
}

/** Attempts that failed ran too, although no edge commits them. */
function withAttempts(atLeast: readonly NodeName[], attempted: ReadonlySet<NodeName>): readonly NodeName[] {
  return attempted.size === 0 ? atLeast : [...new Set([...atLeast, ...attempted])].sort();
}

function pendingCounts(facts: ThreadFacts, account: NamespaceFacts['account']): NodeCounts {
  const counts: MutableCounts = new Map();
  for (const { fate, node } of uncommittedTasks(facts.thread, account, facts.names)) {
    if (fate === 'pending' && node !== null) addNodes(counts, [node]);
  }
  return counts.size === 0 ? noCounts : counts;
}

/** The log's executions of this namespace; records that name no namespace count at the root. */
function logCounts(facts: ThreadFacts, namespace: string): NodeCounts | null {
  if (facts.log === null) return null;
  const counts: MutableCounts = new Map();
  for (const { execution, fate } of facts.log.fates) {
    if (!execution.inLog) continue;
    const logged = execution.effects[0].namespace ?? rootNamespace;
    const known = facts.thread.byName.has(logged) ? logged : rootNamespace;
    const place = fate.kind === 'committed' ? fate.account.namespace : known;
    if (place === namespace) addNodes(counts, [execution.node]);
  }
  return counts;
}
