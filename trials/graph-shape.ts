/**
 * A compiled graph as token flow sees it. The drawable graph shows a barrier as plain edges and cannot show what a
 * branch function returns: a name, several, or Sends that start a node any number of times. So barriers are read
 * from the builder, as are deferred nodes, and every target of a conditional edge counts as unbounded unless the declaration says that its
 * branches return names alone.
 */
import type { GraphShape } from '#analysis/model/invariant.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CompiledGraph } from './graph.ts';

const start = '__start__';
const end = '__end__';

/**
 * The shape of a graph.
 *
 * @param routes `names`: branch functions and gotos only name declared targets; `anything`: they may also Send
 */
export async function graphShapeOf(graph: CompiledGraph, routes: 'names' | 'anything'): Promise<GraphShape> {
  const drawn = await graph.getGraphAsync();
  const nodes = Object.keys(drawn.nodes).filter((name) => name !== start && name !== end) as NodeName[];
  const waiting = [...graph.builder.waitingEdges] as readonly (readonly [readonly string[], string])[];
  const fixed = new Set(
    [...graph.builder.edges].map(([from, to]: readonly [string, string]) => edgeKey(from, to)),
  );
  const edges: { from: NodeName | null; to: NodeName }[] = [];
  const unbounded = new Set<NodeName>();
  for (const { source, target, conditional } of drawn.edges) {
    if (target === end) continue;
    const to = target as NodeName;
    if (conditional === true) {
      if (routes === 'anything') unbounded.add(to);
    } else if (!fixed.has(edgeKey(source, target))) {
      continue; // drawn for a barrier, which is listed apart
    }
    edges.push({ from: source === start ? null : (source as NodeName), to });
  }
  const barriers = waiting
    .filter(([, to]) => to !== end)
    .map(([from, to]) => ({ from: from as readonly NodeName[], to: to as NodeName }));
  // Drawn edges come in no useful order; declaration order of the nodes makes rules and reports read as the graph does.
  const order = new Map<NodeName | null, number>([
    [null, -1],
    ...nodes.map((node, at) => [node, at] as const),
  ]);
  const at = (node: NodeName | null) => order.get(node) ?? nodes.length;
  edges.sort((a, b) => at(a.from) - at(b.from) || at(a.to) - at(b.to));
  const builders: Readonly<Record<string, { readonly defer?: boolean }>> = graph.builder.nodes;
  const deferred = nodes.filter((node) => builders[node]?.defer === true);
  return { nodes, edges, barriers, unbounded: [...unbounded], deferred };
}

function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}
