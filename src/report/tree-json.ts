/**
 * One thread for machines: its thread object of `forkscope-audit/1`, and beside it what a drawing shows, as `nodes` and
 * `edges`. Easy to get wrong: nodes of the graph may be named like keys of a record, so counts are lists.
 */
import type { Labels } from '#analysis/explanation/labels.ts';
import type { PicturedNamespace, PicturedRow, ThreadPicture } from '#analysis/explanation/picture.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { renamedReport } from '../audit/rename-report.ts';
import { auditFormat, threadObject } from './audit-json.ts';

/** The thread as indented JSON, in the names of `labels`, without a final line feed. */
export function threadJson(picture: ThreadPicture, labels: Labels): string {
  return JSON.stringify(
    {
      format: auditFormat,
      ...threadObject(renamedReport(picture.report, labels.names)),
      nodes: picture.namespaces.flatMap((namespace) =>
        namespace.rows.map((row) => nodeObject(namespace, row, labels)),
      ),
      edges: picture.namespaces.flatMap((namespace) =>
        namespace.rows.map((row) => edgeObject(namespace, row, labels)),
      ),
    },
    null,
    2,
  );
}

/** One checkpoint. */
function nodeObject({ namespace }: PicturedNamespace, pictured: PicturedRow, { name, text }: Labels): object {
  const { row, isHead, isLeaf, isHidden, fork, waiting, adrift, misread } = pictured;
  return {
    namespace: text(namespace),
    id: name(row.id),
    step: row.step,
    source: row.source,
    run: row.run === null ? null : name(row.run),
    head: isHead,
    leaf: isLeaf,
    hidden: isHidden,
    fork: fork === null ? null : { class: fork.class, verdict: fork.verdict },
    waiting: waiting.map(({ fate, task, node }) => ({
      fate,
      task: name(task),
      node: node === null ? null : name(node),
    })),
    adrift: adrift.map(({ fate, node, run }) => ({
      fate,
      node: name(node),
      run: run === null ? null : name(run),
    })),
    misread:
      misread === null ? null : { certain: misread.certain.map(name), possible: misread.possible.map(name) },
    hangsOn: [...row.parents].map(([enclosing, id]) => ({ namespace: text(enclosing), id: name(id) })),
  };
}

/** The edge above a checkpoint; `parent` null for a root, and not among the nodes where its row is absent. */
function edgeObject(
  { namespace }: PicturedNamespace,
  { row, edge, effects }: PicturedRow,
  labels: Labels,
): object {
  const { name, text } = labels;
  return {
    namespace: text(namespace),
    parent: row.parent === null ? null : name(row.parent),
    child: name(row.id),
    kind: edge.kind,
    executed: counted(edge.tasks, labels),
    uncertain: counted(edge.uncertain, labels),
    incomplete: edge.incomplete === null ? null : text(edge.incomplete),
    effects:
      effects === null
        ? null
        : [...effects].map(([node, { executions, records }]) => ({ node: name(node), executions, records })),
  };
}

function counted(nodes: readonly NodeName[], { name }: Labels): readonly object[] {
  const counts = new Map<NodeName, number>();
  for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  return [...counts].map(([node, count]) => ({ node: name(node), count }));
}
