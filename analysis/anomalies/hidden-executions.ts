/**
 * Executions that the head does not show, grouped by the fork where their branch leaves the head's lineage. Only what
 * certainly ran is called hidden; a subgraph is hidden with the edge of its parent graph that it hangs on.
 */
import type { Finding, Severity } from '#analysis/model/finding.ts';
import { addNodes, countList, countsText, total, type MutableCounts } from '#analysis/executions/counts.ts';
import { certainTasks } from '#analysis/executions/sums.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import type { Detection, NamespaceFacts, ThreadFacts } from './facts.ts';
import { found } from './found.ts';

interface HiddenBranch {
  readonly counts: MutableCounts;
  readonly tops: Set<CheckpointId>;
}

/** Reports hidden executions, one finding for each fork that hides some. */
export function detectHiddenExecutions(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  for (const namespace of facts.namespaces) {
    if (namespace.sums.hidden.size === 0) continue;
    for (const [from, branch] of hiddenBranches(namespace)) {
      if (total(branch.counts) === 0) continue;
      const head = namespace.account.tree.rows.at(-1)?.id;
      findings.push(
        found(facts, 'hidden-execution', {
          namespace: namespace.account.namespace,
          because: `${countsText(branch.counts)} ran ${whereText(from)} that the head ${head ?? ''} does not show`,
          witness: [...branch.tops],
          details: { counts: countList(branch.counts), from: from === hung ? null : from },
          severity: severityOf(facts, namespace, from),
        }),
      );
    }
  }
  return { findings, undecided: [] };
}

/** On this namespace's own lineage, but hung on a hidden edge of the parent graph. */
const hung = Symbol('hung');
type From = CheckpointId | null | typeof hung;

function whereText(from: From): string {
  if (from === hung) return 'in a subgraph of a branch';
  return from === null ? 'on a branch with a root of its own' : `on a branch off ${from}`;
}

/** Hidden edges by the row on the head's lineage that their branch leaves from. *Cost*: linear. */
function hiddenBranches({ account, edges }: NamespaceFacts): Map<From, HiddenBranch> {
  const { tree, onHead, hidden } = account;
  const branches = new Map<From, HiddenBranch>();
  const topOf = new Int32Array(tree.rows.length);
  for (const at of account.walk().order) {
    const parent = tree.parentOf[at] ?? -1;
    topOf[at] = parent < 0 || onHead[parent] === 1 ? at : (topOf[parent] ?? at);
    const edge = edges[at];
    if (hidden[at] !== 1 || edge === undefined || edge.tasks.length === 0) continue;
    const top = rowAt(tree, topOf[at] ?? at);
    const from = onHead[at] === 1 ? hung : top.parent;
    let branch = branches.get(from);
    if (branch === undefined) branches.set(from, (branch = { counts: new Map(), tops: new Set() }));
    addNodes(branch.counts, certainTasks(edge));
    branch.tops.add(top.id);
  }
  return branches;
}

/** As severe as the fork that hides them. */
function severityOf(facts: ThreadFacts, namespace: NamespaceFacts, from: From): Severity {
  const forks =
    from === hung
      ? facts.namespaces.flatMap((other) => other.forks)
      : namespace.forks.filter(({ fork }) => fork.parent === from);
  const verdicts = new Set(forks.map(({ fork }) => fork.verdict));
  if (verdicts.has('race')) return 'error';
  return verdicts.has('undetermined') ? 'warning' : 'info';
}
