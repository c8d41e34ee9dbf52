/**
 * The drawings of a thread's namespaces, each subgraph under the row its task was planned at: one line when folded,
 * its own tree when unfolded. Easy to get wrong: namespaces nest, so the deepest are drawn first and put into the ones
 * around them; nothing calls itself.
 */
import {
  drawNamespace,
  type Drawing,
  type DrawingOrder,
  type DrawnLine,
} from '#analysis/explanation/drawing.ts';
import type { Hanging } from '#analysis/explanation/hanging.ts';
import type { PicturedNamespace, ThreadPicture } from '#analysis/explanation/picture.ts';
import { rootNamespace, type Namespace, type NodeName } from '#analysis/model/identifiers.ts';
import { printable } from './printable.ts';
import { laneGraph, laneGraphBelow, markOf } from './tree-graph.ts';
import { piece, type Piece, type TreeLine } from './tree-line.ts';
import { countedNodes, forkPhrase, gapPhrases, rowPhrases, shown, type Telling } from './tree-row.ts';

/** Which part of a thread is drawn, and how. */
export interface TreeChoice {
  readonly order: DrawingOrder;
  /** Draw every row. */
  readonly expand: boolean;
  /** Draw the trees of subgraphs, not only a line for each. */
  readonly subgraphs: boolean;
  /** Draw only the lines around one row of one namespace; null for everything. */
  readonly around: { readonly namespace: Namespace; readonly at: number } | null;
}

/** One drawing that stands on its own. */
export interface NamespaceTree {
  readonly namespace: Namespace;
  readonly lines: readonly TreeLine[];
  readonly drawing: Drawing;
}

/** Draws what was chosen: the root graph, and namespaces that hang on no row. *Cost*: n log n in the rows. */
export function namespaceTrees(
  picture: ThreadPicture,
  choice: TreeChoice,
  telling: Telling,
): readonly NamespaceTree[] {
  const notable = new Set(
    picture.namespaces
      .filter(({ rows, rootless }) => rootless.length > 0 || rows.some(({ fork }) => fork !== null))
      .map(({ namespace }) => namespace),
  );
  const draw = (namespace: PicturedNamespace, around: number | null): Drawing =>
    drawNamespace(namespace, { order: choice.order, expand: choice.expand, around, notable });
  const context: Context = {
    byName: new Map(picture.namespaces.map((namespace) => [namespace.namespace, namespace])),
    unfolded: new Map(),
    telling,
  };
  if (choice.around !== null) {
    const { namespace, at } = choice.around;
    const wanted = context.byName.get(namespace);
    if (wanted === undefined) return [];
    const drawing = draw(wanted, at);
    return [{ namespace, drawing, lines: treeLines(wanted, drawing, context) }];
  }
  const hung = new Set(
    picture.namespaces.flatMap(({ hanging }) =>
      [...hanging.values()].flatMap((list) => list.map((h) => h.namespace)),
    ),
  );
  const standing: NamespaceTree[] = [];
  // The name of a nested namespace is longer than that of the one around it.
  const deepestFirst = [...picture.namespaces].sort((a, b) => b.namespace.length - a.namespace.length);
  for (const namespace of deepestFirst) {
    const isHung = hung.has(namespace.namespace);
    if (isHung && !choice.subgraphs) continue;
    const drawing = draw(namespace, null);
    const lines = treeLines(namespace, drawing, context);
    if (isHung) context.unfolded.set(namespace.namespace, lines);
    else standing.push({ namespace: namespace.namespace, drawing, lines });
  }
  return standing.reverse();
}

interface Context {
  readonly byName: ReadonlyMap<Namespace, PicturedNamespace>;
  /** Lines of the namespaces that are drawn already. */
  readonly unfolded: Map<Namespace, readonly TreeLine[]>;
  readonly telling: Telling;
}

/** An id column wider than this pushes everything else off a narrow terminal. */
const widestId = 23;

function treeLines(namespace: PicturedNamespace, drawing: Drawing, context: Context): readonly TreeLine[] {
  const { labels } = context.telling;
  const idWidth = drawing.lines.reduce(
    (widest, { item }) =>
      item.kind === 'row' ? Math.max(widest, Array.from(shown(labels, item.row.row.id)).length) : widest,
    0,
  );
  return [
    ...elided(drawing.linesBefore, 'above'),
    ...drawing.lines.flatMap((line) => [
      itemLine(namespace, line, drawing.lanes, Math.min(idWidth, widestId), context.telling),
      ...hangingLines(namespace, line, drawing.lanes, context),
    ]),
    ...elided(drawing.linesAfter, 'below'),
  ];
}

function elided(lines: number, where: string): readonly TreeLine[] {
  if (lines === 0) return [];
  const text = piece(`⋮ ${lines} more ${lines === 1 ? 'line' : 'lines'} ${where}`, 'faint');
  return [{ graph: [], graphBelow: [], columns: [text], phrases: [] }];
}

function itemLine(
  namespace: PicturedNamespace,
  { lane, item }: DrawnLine,
  lanes: number,
  idWidth: number,
  telling: Telling,
): TreeLine {
  const graphBelow = laneGraphBelow(lane, lanes);
  const graph = (tone: Piece['tone']): readonly Piece[] => laneGraph(lane, lanes, markOf(item), tone);
  switch (item.kind) {
    case 'gap':
      return {
        graph: graph('faint'),
        graphBelow,
        columns: [],
        phrases: gapPhrases(item.rows, item.children, namespace, telling.labels),
      };
    case 'rootless': {
      const name =
        item.parent === null ? 'the empty thread' : `${shown(telling.labels, item.parent)}, row absent`;
      return { graph: graph(null), graphBelow, columns: [piece(name)], phrases: [forkPhrase(item.fork)] };
    }
    case 'row': {
      const { row, parent } = item.row;
      const above = parent < 0 ? null : (namespace.rows[parent] ?? null);
      const step = (row.step ?? '?').toString().padStart(3);
      const id = shown(telling.labels, row.id).padEnd(idWidth);
      return {
        graph: graph(item.row.isHead ? 'strong' : null),
        graphBelow,
        columns: [
          piece(id),
          piece(` ${step} `, 'faint'),
          piece(row.source.padEnd(6), row.source === 'loop' ? 'faint' : null),
        ],
        phrases: rowPhrases(item.row, above, telling),
      };
    }
  }
}

/** What hangs on a row, below it: between the row and the superstep that ran the subgraph. */
function hangingLines(
  namespace: PicturedNamespace,
  { lane, item }: DrawnLine,
  lanes: number,
  context: Context,
): readonly TreeLine[] {
  if (item.kind !== 'row') return [];
  const below = laneGraphBelow(lane, lanes);
  return (namespace.hanging.get(item.row.at) ?? []).flatMap((hanging) => {
    const inside = hanging.isFirst ? context.unfolded.get(hanging.namespace) : undefined;
    const mark = inside === undefined ? '▸ ' : '▾ ';
    const head: TreeLine = {
      graph: [...below, piece(mark, 'faint')],
      graphBelow: [...below, piece('  ')],
      columns: [piece(namespaceName(hanging.namespace, context.telling), 'info')],
      phrases: inside === undefined ? sharePhrases(hanging, context) : [],
    };
    const nested = (inside ?? []).map((line): TreeLine => {
      const rail = [...below, piece('┊ ', 'faint')];
      return { ...line, graph: [...rail, ...line.graph], graphBelow: [...rail, ...line.graphBelow] };
    });
    return [head, ...nested];
  });
}

/** A namespace as it is shown. */
export function namespaceName(namespace: Namespace, { labels }: Telling): string {
  if (namespace === rootNamespace) return 'the root graph';
  return printable(labels.text(namespace), 60);
}

function sharePhrases(
  { namespace, rows }: Hanging,
  { byName, unfolded, telling }: Context,
): readonly Piece[] {
  const pictured = byName.get(namespace);
  if (pictured === undefined) return [];
  const counts = new Map<NodeName, number>();
  const forks = [];
  let hidden = 0;
  for (const at of rows) {
    const row = pictured.rows[at];
    if (row === undefined) continue;
    for (const node of row.edge.tasks) counts.set(node, (counts.get(node) ?? 0) + 1);
    if (row.fork !== null) forks.push(row.fork);
    if (row.isHidden) hidden += 1;
  }
  if (
    pictured.rootless.some(({ children }) =>
      rows.some((at) => children.includes(pictured.rows[at]?.row.id ?? ('' as never))),
    )
  ) {
    forks.push(...pictured.rootless);
  }
  return [
    piece(`${rows.length} ${rows.length === 1 ? 'checkpoint' : 'checkpoints'}`),
    ...(counts.size === 0 ? [] : [piece(countedNodes(telling.labels, counts))]),
    ...forks.map(forkPhrase),
    ...(hidden === 0 ? [] : [piece(`${hidden} hidden`, 'warning')]),
    ...(unfolded.has(namespace) ? [piece('drawn above', 'faint')] : []),
  ];
}
