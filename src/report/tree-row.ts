/**
 * What is said of one row, of a run of rows taken together, and of a parent without a row: phrases in the order in
 * which a reader asks. Easy to get wrong: what rows cannot tell is said in the phrase itself (`at least`, `perhaps`).
 */
import type { Labels } from '#analysis/explanation/labels.ts';
import type { PicturedNamespace, PicturedRow, ThreadPicture } from '#analysis/explanation/picture.ts';
import type { AdriftEffect, JoinedEffects } from '#analysis/explanation/row-effects.ts';
import type { Fork } from '#analysis/model/report.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { printable } from './printable.ts';
import type { Tone } from './style.ts';
import { piece, type Piece } from './tree-line.ts';

/** How names are told, and which of them the log knows. */
export interface Telling {
  readonly labels: Labels;
  /** Null without a log. */
  readonly logged: ReadonlySet<string> | null;
}

/** Names longer than this are cut in the middle. */
const longestName = 48;

/** A name as it is shown. */
export function shown(labels: Labels, name: string): string {
  return printable(labels.name(name), longestName);
}

/** A text that quotes names, as it is shown where a name could stand. */
export function shownText(labels: Labels, text: string): string {
  return printable(labels.text(text), longestName);
}

/** What a thread without any row is known from; null for a thread with rows. */
export function knownWithoutRows({ namespaces, logged }: ThreadPicture): Piece | null {
  if (namespaces.length > 0) return null;
  const isLogged = logged !== null && logged.size > 0;
  return piece(isLogged ? 'known only from the log: no row holds it' : 'no row holds it', 'warning');
}

/** Nodes with their counts: `plan, charge x2`. */
export function countedNodes(labels: Labels, counts: Iterable<readonly [string, number]>): string {
  return [...counts]
    .map(([node, count]) => `${shown(labels, node)}${count === 1 ? '' : ` x${count}`}`)
    .join(', ');
}

/** The phrases of a row. */
export function rowPhrases(row: PicturedRow, above: PicturedRow | null, telling: Telling): readonly Piece[] {
  const { labels } = telling;
  return [
    ...executionPhrases(row, telling),
    ...(row.row.run !== null && row.row.run !== above?.row.run
      ? [piece(`run ${shown(labels, row.row.run)}`, 'faint')]
      : []),
    ...(row.isHead ? [piece('head', 'strong')] : row.isLeaf ? [piece('leaf')] : []),
    ...(row.fork === null ? [] : [forkPhrase(row.fork)]),
    ...(row.row.parent === null ? [piece('root', 'faint')] : []),
    ...(row.absentParent === null
      ? []
      : [piece(`parent ${shown(labels, row.absentParent)} is absent`, 'warning')]),
    ...waitingPhrases(row, labels),
    ...adriftPhrases(row.adrift, labels),
    ...misreadPhrases(row, labels),
  ];
}

function executionPhrases({ edge, effects }: PicturedRow, { labels, logged }: Telling): readonly Piece[] {
  const perhaps = countNodes(edge.uncertain);
  const certain = countNodes(edge.tasks);
  for (const [node, count] of perhaps) certain.set(node, (certain.get(node) ?? 0) - count);
  const sure = [...certain].filter(([, count]) => count > 0);
  const parts = [
    ...(sure.length === 0 ? [] : [countedNodes(labels, sure)]),
    ...(perhaps.size === 0 ? [] : [`perhaps ${countedNodes(labels, perhaps)} again`]),
  ];
  const ran = parts.join(', ');
  const phrases: Piece[] = [];
  if (edge.incomplete !== null) {
    phrases.push(piece(ran === '' ? 'perhaps more ran here' : `at least ${ran}`, 'warning'));
  } else if (ran !== '') phrases.push(piece(ran));
  if (edge.kind === 'anomalous') phrases.push(piece("step does not follow its parent's", 'warning'));
  if (logged !== null && effects !== null) phrases.push(...logPhrases(edge.tasks, effects, logged, labels));
  return phrases;
}

/** How the log agrees with the edge, for the nodes that this log names at all. */
function logPhrases(
  tasks: readonly NodeName[],
  effects: JoinedEffects,
  logged: ReadonlySet<string>,
  labels: Labels,
): readonly Piece[] {
  const expected = countNodes(tasks.filter((node) => logged.has(node)));
  const missing: [string, number][] = [];
  for (const [node, count] of expected) {
    const seen = effects.get(node)?.executions ?? 0;
    if (seen < count) missing.push([node, count - seen]);
  }
  const repeated = [...effects].flatMap(([node, { executions, records }]): [string, number][] =>
    records > executions ? [[node, records]] : [],
  );
  const phrases: Piece[] = [];
  if (effects.size > 0 && missing.length === 0) phrases.push(piece('logged', 'faint'));
  if (missing.length > 0) phrases.push(piece(`not logged: ${countedNodes(labels, missing)}`, 'warning'));
  if (repeated.length > 0) phrases.push(piece(`repeated: ${countedNodes(labels, repeated)}`, 'warning'));
  return phrases;
}

/** A fork's class and verdict. */
export function forkPhrase(fork: Fork): Piece {
  const tone: Readonly<Record<Fork['verdict'], Tone>> = {
    race: 'error',
    undetermined: 'warning',
    deliberate: 'info',
  };
  const kind = fork.class === null ? '' : `, ${fork.class}`;
  return piece(`fork in ${fork.children.length}: ${fork.verdict}${kind}`, tone[fork.verdict]);
}

function waitingPhrases({ waiting }: PicturedRow, labels: Labels): readonly Piece[] {
  return (['pending', 'orphaned'] as const).flatMap((fate) => {
    const tasks = waiting.filter((task) => task.fate === fate);
    if (tasks.length === 0) return [];
    const names = countedNodes(labels, countNodes(tasks.map(({ node }) => node ?? 'a task without a name')));
    return [piece(`${fate} writes: ${names}`, fate === 'pending' ? 'info' : 'warning')];
  });
}

/** What became of effects that no edge commits; pending and orphaned ones are told by their writes. */
const adriftTold: readonly (readonly [AdriftEffect['fate'], string, Tone])[] = [
  ['unrecorded', 'unrecorded effect', 'error'],
  ['zombie', 'zombie effect', 'warning'],
  ['attempt', 'attempt', 'info'],
  ['unknown', 'effect of unknown fate', 'warning'],
  ['no-node', 'logged, no node', 'faint'],
];

function adriftPhrases(adrift: readonly AdriftEffect[], labels: Labels): readonly Piece[] {
  return adriftTold.flatMap(([fate, what, tone]) => {
    const nodes = adrift.filter((effect) => effect.fate === fate).map(({ node }) => node);
    return nodes.length === 0 ? [] : [piece(`${what}: ${countedNodes(labels, countNodes(nodes))}`, tone)];
  });
}

function misreadPhrases({ misread }: PicturedRow, labels: Labels): readonly Piece[] {
  if (misread === null) return [];
  const list = (channels: readonly string[]): string =>
    channels.map((channel) => shown(labels, channel)).join(', ');
  return [
    ...(misread.certain.length === 0
      ? []
      : [piece(`reads another branch's ${list(misread.certain)}`, 'error')]),
    ...(misread.possible.length === 0
      ? []
      : [piece(`may read another branch's ${list(misread.possible)}`, 'warning')]),
  ];
}

/** The phrases of rows taken together: an unbranched run, or so many children of a wide fork with all below them. */
export function gapPhrases(
  rows: readonly PicturedRow[],
  children: number | null,
  namespace: PicturedNamespace,
  labels: Labels,
): readonly Piece[] {
  const counts = countNodes(rows.flatMap(({ edge }) => edge.tasks));
  const inputs = rows.filter(({ row }) => row.source === 'input').length;
  const subgraphs = rows.reduce((sum, { at }) => sum + (namespace.hanging.get(at)?.length ?? 0), 0);
  const parts = [
    ...(inputs === 0 ? [] : [`${inputs} ${inputs === 1 ? 'input' : 'inputs'}`]),
    ...(counts.size === 0 ? [] : [countedNodes(labels, counts)]),
    ...(subgraphs === 0 ? [] : [`${subgraphs} ${subgraphs === 1 ? 'subgraph' : 'subgraphs'}`]),
  ];
  const checkpoints = `${rows.length} ${rows.length === 1 ? 'checkpoint' : 'checkpoints'}`;
  const what =
    children === null
      ? checkpoints
      : `${children} more ${children === 1 ? 'child' : 'children'}${children === rows.length ? '' : `, ${checkpoints}`}`;
  return [piece(`… ${what}${parts.length === 0 ? '' : `: ${parts.join(', ')}`} …`, 'faint')];
}

function countNodes<Name extends string>(nodes: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  return counts;
}
