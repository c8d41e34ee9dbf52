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
  /** Plain edges, fixed and routed together, at most. */
  readonly edges: number;
  readonly barriers: number;
  readonly fixed: boolean;
  readonly deferred: boolean;
  readonly sends: boolean;
}

/** Graphs of 2 to `nodes` nodes; START has an edge, other nodes may be out of reach, cycles and self-loops occur. */
export function randomGraph(
  fc: typeof FastCheck,
  features: GraphFeatures,
): FastCheck.Arbitrary<MachineGraph> {
  return fc.integer({ min: 2, max: features.nodes }).chain((size) => {
    const node = fc.nat(size - 1);
    const edge = fc.record({
      from: fc.integer({ min: start, max: size - 1 }),
      to: node,
      fixed: features.fixed ? fc.boolean() : fc.constant(false),
    });
    const some = (wanted: boolean): FastCheck.Arbitrary<number[]> =>
      wanted ? fc.uniqueArray(node, { maxLength: 2 }) : fc.constant([]);
    return fc
      .record({
        first: node,
        edges: fc.uniqueArray(edge, {
          maxLength: features.edges,
          selector: ({ from, to }) => `${from} ${to}`,
        }),
        barriers: fc.uniqueArray(
          fc.record({ from: fc.uniqueArray(node, { minLength: 1, maxLength: 3 }), to: node }),
          { maxLength: features.barriers, selector: ({ from, to }) => `${[...from].sort().join()} ${to}` },
        ),
        deferred: some(features.deferred),
        sendable: some(features.sends),
      })
      .map(({ first, edges, barriers, deferred, sendable }): MachineGraph => {
        const all = [{ from: start, to: first, fixed: features.fixed }, ...edges];
        const routed = new Map<number, number[]>();
        for (const { from, to, fixed } of all)
          if (!fixed) routed.set(from, [...(routed.get(from) ?? []), to]);
        return {
          names: Array.from({ length: size }, (_, index) => `n${index}` as NodeName),
          fixed: all.filter(({ fixed }) => fixed).map(({ from, to }) => ({ from, to })),
          routed: [...routed].map(([from, to]) => ({ from, to: [...new Set(to)] })),
          barriers,
          deferred,
          sendable,
        };
      });
  });
}
