/**
 * What the log and the rows say differently: effects that no row accounts for, zombies of cancelled runs, and
 * executions that the log lost. An execution has one fate, so a zombie is never also unrecorded.
 */
import type { Finding } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { countList, countsText } from '#analysis/executions/counts.ts';
import { certainTasks } from '#analysis/executions/sums.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import type { Detection, NamespaceFacts, ThreadFacts } from './facts.ts';
import { found } from './found.ts';

/**
 * Reports effects that no row accounts for, one finding each. A thread of a foreign source without any row may have its
 * rows elsewhere, or have been deleted, so there it is a warning only.
 */
export function detectUnrecordedEffects(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  const { rows, runs } = facts.evidence;
  const isElsewhere = rows.checkpoints.length === 0 && runs === null;
  for (const { execution, fate } of facts.log?.fates ?? []) {
    if (fate.kind !== 'unrecorded') continue;
    const [effect] = execution.effects;
    findings.push(
      found(facts, 'unrecorded-effect', {
        namespace: effect.namespace,
        because: `${execution.node} took effect${effect.run === null ? '' : ` in run ${effect.run}`}, planned at ${effect.parent ?? 'an unknown row'}, and no row records it`,
        witness: [effect.parent, effect.task, effect.run].filter((id) => id !== null),
        details: { node: execution.node, attempts: execution.effects.length },
        ...(isElsewhere ? { severity: 'warning' as const } : {}),
      }),
    );
  }
  return { findings, undecided: [] };
}

/** Reports zombies, one finding each. */
export function detectZombieEffects(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  for (const { execution, fate } of facts.log?.fates ?? []) {
    if (fate.kind !== 'zombie') continue;
    const [effect] = execution.effects;
    findings.push(
      found(facts, 'zombie-effect', {
        namespace: effect.namespace,
        because: `${execution.node} took effect although ${fate.because}, and no row of that run commits it`,
        witness: [effect.parent, effect.task, effect.run].filter((id) => id !== null),
        details: { node: execution.node, run: effect.run },
        evidence: facts.evidence.runs === null ? 'rows+log' : 'rows+runs',
      }),
    );
  }
  return { findings, undecided: [] };
}

/** Executions on edges that the log does not hold, by node and edge. */
export interface Unlogged {
  readonly node: NodeName;
  readonly namespace: NamespaceFacts;
  readonly child: number;
  /** True when the second instrument has the record. */
  readonly inTable: boolean;
}

/**
 * Nodes that write to the log. One that this thread's log never names may not log at all, or all its records here may
 * be lost: where records are known to be lost, or the graph is ours, its nodes are taken as logging.
 */
function loggingNodes(facts: ThreadFacts): ReadonlySet<NodeName> {
  const { loggingNodes: named, shape, rules } = facts.options;
  const logging = new Set<NodeName>(named ?? shape?.nodes ?? []);
  for (const { execution } of facts.log?.fates ?? []) logging.add(execution.node);
  if ((facts.evidence.log?.health?.lost.length ?? 0) === 0) return logging;
  for (const { left, right } of rules) for (const node of [...left, ...right]) logging.add(node);
  return logging;
}

/** Finds executions that the log lost. Nodes that do not log are left out. */
export function unloggedExecutions(facts: ThreadFacts): Unlogged[] {
  const { log } = facts;
  if (log === null) return [];
  const logging = loggingNodes(facts);
  const unlogged: Unlogged[] = [];
  for (const namespace of facts.namespaces) {
    namespace.edges.forEach((edge, child) => {
      if (edge.tasks.length === 0) return;
      const seen = new Map(log.onEdges.get(namespace.account)?.get(child) ?? []);
      for (const node of certainTasks(edge)) {
        const count = seen.get(node) ?? 0;
        seen.set(node, count - 1);
        if (count > 0 || !logging.has(node)) continue;
        unlogged.push({ node, namespace, child, inTable: false });
      }
    });
  }
  for (const { execution, fate } of log.fates) {
    if (execution.inLog || fate.kind !== 'committed') continue;
    const namespace = facts.namespaces.find(({ account }) => account === fate.account);
    if (namespace !== undefined) {
      unlogged.push({ node: execution.node, namespace, child: fate.child, inTable: true });
    }
  }
  return unlogged;
}

/** Reports executions that the log lost, one finding a namespace. */
export function detectUnloggedExecutions(facts: ThreadFacts): Detection {
  const lost = facts.evidence.log?.health?.lost ?? [];
  const findings: Finding[] = [];
  const unlogged = unloggedExecutions(facts);
  for (const namespace of facts.namespaces) {
    const here = unlogged.filter((entry) => entry.namespace === namespace);
    if (here.length === 0) continue;
    const counts = new Map<NodeName, number>();
    for (const { node } of here) counts.set(node, (counts.get(node) ?? 0) + 1);
    const proven = here.filter((entry) => entry.inTable).length;
    const missing = lost.reduce((sum, { missing: numbers }) => sum + numbers.length, 0);
    const why =
      proven > 0
        ? `; the effects table holds ${proven} of them, so the log lost them`
        : missing > 0
          ? `; the log lacks ${missing} records of ${lost.map(({ worker }) => worker).join(', ')}`
          : '';
    findings.push(
      found(facts, 'unlogged-execution', {
        namespace: namespace.account.namespace,
        because: `edges show ${countsText(counts)} that the log does not hold${why}`,
        witness: here.map(({ child }) => rowAt(namespace.account.tree, child).id),
        details: { counts: countList(counts), lost, inTable: proven, neither: here.length - proven },
      }),
    );
  }
  return { findings, undecided: [] };
}
