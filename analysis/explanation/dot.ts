/**
 * A namespace as a Graphviz graph: rows along their branches, what ran on each edge, the head, forks and what hides.
 * Text in, text out. Easy to get wrong: ids and node names are the data's to choose, so every label is quoted and
 * control characters are shown as escapes.
 */
import type { EdgeAccount } from '#analysis/executions/edge-account.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import { countsText } from '#analysis/executions/counts.ts';
import { noParent, rowAt } from '#analysis/lineage/tree.ts';
import { branchNames } from '#analysis/lineage/relabel.ts';
import { branches } from '#analysis/lineage/walk.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';

/** What is drawn of a namespace. */
export interface Drawing {
  readonly account: NamespaceAccount;
  /** The account's edges, settled by the log where there is one. */
  readonly edges: readonly EdgeAccount[];
  /** Show `a1, b2 …` in place of ids: for output that is shared or compared. */
  readonly anonymous: boolean;
}

/** Draws one namespace in the dot language. *Cost*: linear, no recursion. */
export function dotGraph({ account, edges, anonymous }: Drawing): string {
  const { tree } = account;
  const names = branchNames(branches(tree));
  const lines = ['digraph checkpoints {', '  rankdir=LR;', '  node [shape=box, fontname="monospace"];'];
  for (let at = 0; at < tree.rows.length; at++) {
    const row = rowAt(tree, at);
    const label = anonymous ? (names.get(at) ?? `${at}`) : row.id;
    const style =
      at === tree.rows.length - 1 ? ', penwidth=3' : account.hidden[at] === 1 ? ', style=dashed' : '';
    lines.push(`  n${at} [label=${quoted(`${label}\n${row.source} ${row.step ?? '?'}`)}${style}];`);
  }
  for (let at = 0; at < tree.rows.length; at++) {
    const parent = tree.parentOf[at] ?? noParent;
    if (parent < 0) continue;
    const label = tasksText(edges[at]?.tasks ?? []);
    lines.push(`  n${parent} -> n${at}${label === '' ? '' : ` [label=${quoted(label)}]`};`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

function tasksText(tasks: readonly NodeName[]): string {
  const counts = new Map<NodeName, number>();
  for (const node of tasks) counts.set(node, (counts.get(node) ?? 0) + 1);
  return [...counts.values()].every((count) => count === 1)
    ? [...counts.keys()].join(', ')
    : countsText(counts);
}

/** A dot string: quotes and backslashes escaped, line breaks kept, other control characters spelled out. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, (character) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}
