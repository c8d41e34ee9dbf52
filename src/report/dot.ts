/**
 * A thread as a Graphviz graph: a cluster for each namespace, rows along their edges, red for what an error finding
 * rests on. Easy to get wrong: names are the data's to choose, and Graphviz reads quotes, backslashes and HTML
 * entities even inside a quoted label.
 */
import type { Labels } from '#analysis/explanation/labels.ts';
import type { PicturedNamespace, PicturedRow, ThreadPicture } from '#analysis/explanation/picture.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import { printable } from './printable.ts';
import { countedNodes, forkPhrase, knownWithoutRows, rowPhrases, shown, type Telling } from './tree-row.ts';

/** The whole graph in the dot language, without a final line feed. *Cost*: linear in the rows. */
export function dotGraph(picture: ThreadPicture, labels: Labels): string {
  const telling: Telling = { labels, logged: picture.logged };
  const atFault = errorWitnesses(picture);
  const { thread, verdict, status } = picture.report;
  const withoutRows = knownWithoutRows(picture);
  const title = [
    `thread ${shown(labels, thread)}`,
    `${verdict}, ${status}`,
    ...(withoutRows === null ? [] : [withoutRows.text]),
  ];
  const lines = [
    'digraph thread {',
    '  rankdir=TB;',
    '  node [shape=box, fontname="monospace"];',
    '  edge [fontname="monospace"];',
    `  label=${quoted(title)};`,
  ];
  picture.namespaces.forEach((namespace, number) => {
    lines.push(`  subgraph cluster_${number} {`);
    const name =
      namespace.namespace === rootNamespace ? [] : [printable(labels.text(namespace.namespace), 80)];
    lines.push(`    label=${quoted(name)};`);
    namespace.rootless.forEach((fork, nth) => {
      const parent = fork.parent === null ? 'the empty thread' : `${shown(labels, fork.parent)}, row absent`;
      const style = fork.verdict === 'race' ? ', color=red' : '';
      lines.push(
        `    r${number}_${nth} [label=${quoted([parent, forkPhrase(fork).text])}, style=dotted${style}];`,
      );
    });
    for (const row of namespace.rows) lines.push(rowNode(number, row, telling, atFault));
    for (const row of namespace.rows) lines.push(...rowEdge(number, namespace, row, telling, atFault));
    lines.push('  }');
  });
  lines.push(...hangingEdges(picture));
  return [...lines, '}'].join('\n');
}

/** Ids that error findings rest on. */
function errorWitnesses({ report }: ThreadPicture): ReadonlySet<string> {
  return new Set(report.findings.flatMap(({ severity, witness }) => (severity === 'error' ? witness : [])));
}

function rowNode(
  number: number,
  pictured: PicturedRow,
  telling: Telling,
  atFault: ReadonlySet<string>,
): string {
  const { at, row, isHead, isHidden, misread } = pictured;
  // What ran is told on the edge above; the row tells the rest.
  const still: PicturedRow = {
    ...pictured,
    edge: { ...pictured.edge, tasks: [], uncertain: [], incomplete: null },
    effects: null,
  };
  const phrases = rowPhrases(still, null, telling).map(({ text }) => text);
  const attributes = [
    `label=${quoted([shown(telling.labels, row.id), `${row.source} ${row.step ?? '?'}`, ...phrases])}`,
    ...(isHead ? ['penwidth=3'] : []),
    ...(isHidden ? ['style=dashed'] : []),
    ...(atFault.has(row.id) ? ['color=red'] : []),
    ...((misread?.certain.length ?? 0) > 0 ? ['fontcolor=red'] : []),
  ];
  return `    n${number}_${at} [${attributes.join(', ')}];`;
}

function rowEdge(
  number: number,
  namespace: PicturedNamespace,
  row: PicturedRow,
  { labels, logged }: Telling,
  atFault: ReadonlySet<string>,
): readonly string[] {
  const standIn = namespace.rootless.findIndex(({ parent }) => parent === row.row.parent);
  const isRootless = row.parent < 0 && standIn >= 0;
  if (row.parent < 0 && !isRootless) {
    const absent = row.absentParent;
    if (absent === null) return [];
    const id = `a${number}_${row.at}`;
    return [
      `    ${id} [label=${quoted([shown(labels, absent), 'row absent'])}, style=dotted];`,
      `    ${id} -> n${number}_${row.at} [style=dotted];`,
    ];
  }
  const from = isRootless ? `r${number}_${standIn}` : `n${number}_${row.parent}`;
  const tasks = executed(row, labels);
  const effects = logged === null || row.effects === null || row.effects.size === 0 ? [] : [...row.effects];
  const label = [
    ...(tasks === '' ? [] : [tasks]),
    ...(effects.length === 0
      ? []
      : [
          `log: ${countedNodes(
            labels,
            effects.map(([node, { executions }]) => [node, executions]),
          )}`,
        ]),
  ];
  const parent = row.row.parent;
  const isAtFault = atFault.has(row.row.id) && (parent === null || atFault.has(parent));
  const attributes = [
    ...(label.length === 0 ? [] : [`label=${quoted(label)}`]),
    ...(row.isHidden ? ['style=dashed'] : []),
    ...(isAtFault ? ['color=red'] : []),
  ];
  return [
    `    ${from} -> n${number}_${row.at}${attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`};`,
  ];
}

function executed({ edge }: PicturedRow, labels: Labels): string {
  const counts = new Map<string, number>();
  for (const node of edge.tasks) counts.set(node, (counts.get(node) ?? 0) + 1);
  const tasks = countedNodes(labels, counts);
  return edge.incomplete === null ? tasks : tasks === '' ? 'perhaps more' : `at least ${tasks}`;
}

/** From the row that planned a subgraph's task to the first row of its share. */
function hangingEdges({ namespaces }: ThreadPicture): readonly string[] {
  const numbers = new Map(namespaces.map(({ namespace }, number) => [namespace, number]));
  return namespaces.flatMap(({ hanging }, number) =>
    [...hanging].flatMap(([at, list]) =>
      list.map(
        ({ namespace, rows }) =>
          `  n${number}_${at} -> n${numbers.get(namespace) ?? 0}_${rows[0] ?? 0} [style=dotted, arrowhead=none];`,
      ),
    ),
  );
}

/** A dot string of several lines. The lines must be printable already. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    line.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;'),
  );
  return `"${escaped.join('\\n')}"`;
}
