/**
 * Which leaves read another branch's values, as the findings of shared blobs say. Read back from the findings so that
 * a drawing cannot say something else than the report below it. A finding's details are open data: what has not the
 * expected shape says nothing.
 */
import type { Finding } from '#analysis/model/finding.ts';
import type { Namespace } from '#analysis/model/identifiers.ts';
import { getOrMake } from '#analysis/model/maps.ts';

/** The channels of one leaf; each in one list only. */
export interface MisreadChannels {
  /** Proven to hold another branch's value, or unlike what the leaf's own run returned. */
  readonly certain: readonly string[];
  /** One branch's value was dropped, and nothing tells whose. */
  readonly possible: readonly string[];
}

/** Namespace → leaf → channels. */
export function misreadChannels(
  findings: readonly Finding[],
): ReadonlyMap<Namespace, ReadonlyMap<string, MisreadChannels>> {
  const certain = new Map<Namespace, Map<string, Set<string>>>();
  const possible = new Map<Namespace, Map<string, Set<string>>>();
  for (const { kind, namespace, details } of findings) {
    if (kind !== 'shared-blob' || namespace === null) continue;
    for (const victim of recordsIn(details['victims'])) {
      note(certain, namespace, victim['leaf'], victim['channels']);
      note(possible, namespace, victim['leaf'], victim['possibly']);
    }
    for (const leaf of recordsIn(details['misreadLeaves'])) {
      note(certain, namespace, leaf['leaf'], leaf['channels']);
    }
  }
  const found = new Map<Namespace, Map<string, MisreadChannels>>();
  for (const namespace of new Set([...certain.keys(), ...possible.keys()])) {
    const leaves = getOrMake(found, namespace, () => new Map<string, MisreadChannels>());
    const sure = certain.get(namespace) ?? new Map<string, Set<string>>();
    const open = possible.get(namespace) ?? new Map<string, Set<string>>();
    for (const leaf of new Set([...sure.keys(), ...open.keys()])) {
      const proven = sure.get(leaf) ?? new Set<string>();
      leaves.set(leaf, {
        certain: [...proven].sort(),
        possible: [...(open.get(leaf) ?? [])].filter((channel) => !proven.has(channel)).sort(),
      });
    }
  }
  return found;
}

function note(
  into: Map<Namespace, Map<string, Set<string>>>,
  namespace: Namespace,
  leaf: unknown,
  channels: unknown,
): void {
  if (typeof leaf !== 'string' || !Array.isArray(channels)) return;
  for (const channel of channels as readonly unknown[]) {
    if (typeof channel !== 'string') continue;
    const leaves = getOrMake(into, namespace, () => new Map<string, Set<string>>());
    getOrMake(leaves, leaf, () => new Set<string>()).add(channel);
  }
}

function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).filter(
    (item): item is Record<string, unknown> => typeof item === 'object' && item !== null,
  );
}
