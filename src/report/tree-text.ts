/** A thread for people: where it stands, its tree, what the marks mean, and what was found. */
import type { Labels } from '#analysis/explanation/labels.ts';
import type { ThreadPicture } from '#analysis/explanation/picture.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import type { Palette } from './style.ts';
import { findingLines } from './tree-findings.ts';
import { marks } from './tree-graph.ts';
import { piece, treeText, type Piece, type TreeLine } from './tree-line.ts';
import { namespaceName, namespaceTrees, type NamespaceTree, type TreeChoice } from './tree-namespaces.ts';
import { countedNodes, knownWithoutRows, shown, type Telling } from './tree-row.ts';

/** How the text is to look. */
export interface TreeTextOptions {
  readonly labels: Labels;
  readonly palette: Palette;
  /** Characters in a line, at least {@link leastWidth}. */
  readonly width: number;
}

/** A tree in fewer columns cannot be read. */
export const leastWidth = 40;

/** The whole text, without a final line feed. */
export function threadTreeText(picture: ThreadPicture, choice: TreeChoice, options: TreeTextOptions): string {
  const { labels, palette } = options;
  const width = Math.max(leastWidth, options.width);
  const telling: Telling = { labels, logged: picture.logged };
  const trees = namespaceTrees(picture, choice, telling);
  const text = (lines: readonly TreeLine[]): string =>
    lines.flatMap((line) => treeText(line, width, palette)).join('\n');
  const findings = findingLines(picture.report, labels, choice.expand);
  return [
    text(headLines(picture, labels)),
    ...trees.map((tree) => text([...titleOf(tree, telling), ...tree.lines])),
    ...(trees.length === 0 ? [] : [text([legend(trees)])]),
    text(findings.length === 0 ? [sentenceLine([piece('No finding.')])] : findings),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headLines(picture: ThreadPicture, labels: Labels): readonly TreeLine[] {
  const { report, namespaces, logged } = picture;
  const { verdict, status, next, schema, join } = report;
  const withoutRows = knownWithoutRows(picture);
  const tone = { valid: 'valid', invalid: 'error', unknown: 'warning' } as const;
  const rows = namespaces.reduce((sum, { tree }) => sum + tree.rows.length, 0);
  const forks = report.namespaces.flatMap((namespace) => namespace.forks);
  const writers = new Set(report.namespaces.map(({ writer }) => writer));
  const subgraphs = namespaces.filter(({ namespace }) => namespace !== rootNamespace).length;
  return [
    {
      graph: [],
      graphBelow: [],
      columns: [piece(`thread ${shown(labels, report.thread)}`, 'strong')],
      phrases: [
        piece(verdict, tone[verdict]),
        piece(status),
        ...(next.length === 0 ? [] : [piece(`next: ${countedNodes(labels, countsOf(next))}`)]),
        ...(schema === null ? [] : [piece(`schema ${shown(labels, schema)}`)]),
      ],
    },
    sentenceLine([
      piece(counted(rows, 'checkpoint')),
      ...(withoutRows === null ? [] : [withoutRows]),
      ...(subgraphs === 0 ? [] : [piece(counted(subgraphs, 'subgraph namespace'))]),
      piece(counted(forks.length, 'fork')),
      ...[...writers].map((writer) => piece(`writer ${writer}`)),
      piece(
        logged === null
          ? 'no effect log'
          : `logged: ${report.log === null || report.log.size === 0 ? 'nothing' : countedNodes(labels, report.log)}`,
      ),
      ...(join !== null && join.time > 0
        ? [piece(`${join.time} joined by node and order of time: a guess`, 'warning')]
        : []),
    ]),
  ];
}

function countsOf(nodes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  return counts;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function titleOf({ namespace, drawing }: NamespaceTree, telling: Telling): readonly TreeLine[] {
  return namespace === rootNamespace
    ? []
    : [
        sentenceLine([
          piece(`namespace ${namespaceName(namespace, telling)}`, 'info'),
          piece(counted(drawing.lines.length, 'line'), 'faint'),
        ]),
      ];
}

/** Only the marks that were drawn. */
function legend(trees: readonly NamespaceTree[]): TreeLine {
  const items = trees.flatMap(({ drawing }) => drawing.lines.map(({ item }) => item));
  const rows = items.flatMap((item) => (item.kind === 'row' ? [item.row] : []));
  const isByBranch = trees.some(({ drawing }) => drawing.order === 'lineage' && drawing.lanes > 1);
  return sentenceLine(
    [
      ...(rows.some(({ isHead }) => isHead) ? [piece(`${marks.head} head`)] : []),
      ...(rows.some(({ isHidden, isHead }) => !isHidden && !isHead)
        ? [piece(`${marks.shown} what the head shows`)]
        : []),
      ...(rows.some(({ isHidden }) => isHidden) ? [piece(`${marks.hidden} hidden from it`)] : []),
      ...(items.some(({ kind }) => kind === 'gap')
        ? [piece(`${marks.gap} taken together; --expand draws all`)]
        : []),
      piece(isByBranch ? 'branch by branch, short ones first' : 'oldest first'),
    ].map(({ text }) => piece(text, 'faint')),
  );
}

function sentenceLine(phrases: readonly Piece[]): TreeLine {
  return { graph: [], graphBelow: [], columns: [], phrases };
}
