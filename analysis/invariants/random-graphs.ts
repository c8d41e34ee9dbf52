/**
 * Small graphs for property tests of this folder. The library is handed in and imported as a type only, so that nothing
 * the program ships depends on it.
 */
import type FastCheck from 'fast-check';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { start, type MachineGraph } from './superstep-machine.ts';

/** What the graphs may contain. */
export interface GraphFeatures {
  readonly nodes: number;
  /** Plain edges between any two nodes, beside the one or two that lead to most nodes from earlier ones; at most. */
  readonly strayEdges: number;
  readonly barriers: number;
  readonly fixed: boolean;
  readonly deferred: boolean;
  readonly sends: boolean;
}

/**
 * Graphs of up to `nodes` nodes in layers, each node led to by nodes of the layer before it, so that ways part and come
 * back together; stray edges make ways unequal and close cycles, and some nodes are out of reach.
 */
export function randomGraph(
  fc: typeof FastCheck,
  features: GraphFeatures,
): FastCheck.Arbitrary<MachineGraph> {
  return layersOf(fc, features.nodes).chain((layers) => {
    const size = layers.flat().length;
    const node = fc.nat(size - 1);
    const some = (wanted: boolean): FastCheck.Arbitrary<number[]> =>
      wanted ? fc.uniqueArray(node, { maxLength: 2 }) : fc.constant([]);
    const fixed = features.fixed ? fc.boolean() : fc.constant(false);
    const edge = (
      from: FastCheck.Arbitrary<number>,
      to: FastCheck.Arbitrary<number>,
    ): FastCheck.Arbitrary<Edge> => fc.record({ from, to, fixed });
    const forward = layers.flatMap((layer, depth) =>
      layer.map((to) => {
        const sources = fc.constantFrom(...(layers[depth - 1] ?? [start]));
        const edges = fc.array(edge(sources, fc.constant(to)), { minLength: 1, maxLength: 3 });
        return depth === 0
          ? edges
          : fc.oneof({ weight: 5, arbitrary: edges }, { weight: 1, arbitrary: fc.constant([]) });
      }),
    );
    const barrier = fc.record({ from: fc.uniqueArray(node, { minLength: 1, maxLength: 3 }), to: node });
    return fc
      .record({
        forward: fc.tuple(...forward),
        strays: fc.array(edge(fc.integer({ min: start, max: size - 1 }), node), {
          maxLength: features.strayEdges,
        }),
        barriers: fc.uniqueArray(barrier, {
          maxLength: features.barriers,
          selector: ({ from, to }) => `${[...from].sort().join()} ${to}`,
        }),
        deferred: some(features.deferred),
        sendable: some(features.sends),
      })
      .map(({ strays, barriers, deferred, sendable, ...drawn }): MachineGraph => {
        const edges = [...drawn.forward.flat(), ...strays];
        const once = [
          ...new Map(edges.map((drawnEdge) => [`${drawnEdge.from} ${drawnEdge.to}`, drawnEdge])).values(),
        ];
        const routed = new Map<number, number[]>();
        for (const { from, to } of once.filter((each) => !each.fixed)) {
          routed.set(from, [...(routed.get(from) ?? []), to]);
        }
        return {
          names: Array.from({ length: size }, (_, index) => `n${index}` as NodeName),
          fixed: once.filter((each) => each.fixed).map(({ from, to }) => ({ from, to })),
          routed: [...routed].map(([from, to]) => ({ from, to })),
          barriers,
          deferred,
          sendable,
        };
      });
  });
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly fixed: boolean;
}

/** Numbers from 0 in layers of 1 to 3, `nodes` numbers at most and two layers at least. */
function layersOf(fc: typeof FastCheck, nodes: number): FastCheck.Arbitrary<number[][]> {
  return fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: nodes }).map((widths) => {
    const layers: number[][] = [];
    let next = 0;
    for (const width of widths) {
      const numbers = Array.from({ length: Math.min(width, nodes - next) }, (_, index) => next + index);
      if (numbers.length > 0) layers.push(numbers);
      next += numbers.length;
    }
    return layers;
  });
}
