/**
 * Where each effect of the log is drawn: at the edge that committed it, or adrift at the row it was planned from.
 * Easy to get wrong: an execution may hold several records (attempts of one run), so records and executions are
 * counted apart.
 */
import type { NodeName, RunToken } from '#analysis/model/identifiers.ts';
import { getOrMake, pushTo } from '#analysis/model/maps.ts';
import type { ThreadFacts } from '#analysis/anomalies/facts.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import type { Fate } from '#analysis/executions/fates.ts';
import { place } from '#analysis/executions/join.ts';

/** Effects of one node on one edge. */
export interface NodeEffects {
  readonly executions: number;
  /** At least as many as executions; more when attempts were repeated. */
  readonly records: number;
}

/** Effects on one edge, by node. */
export type JoinedEffects = ReadonlyMap<NodeName, NodeEffects>;

/** An effect that no edge commits. */
export interface AdriftEffect {
  readonly node: NodeName;
  readonly run: RunToken | null;
  readonly fate: Exclude<Fate['kind'], 'committed'>;
}

/** Effects by account and index of the row. */
export interface RowEffects {
  /** By the index of the edge's child. */
  readonly joined: ReadonlyMap<NamespaceAccount, ReadonlyMap<number, JoinedEffects>>;
  /** By the index of the row they were planned at; effects whose row is absent are in no list. */
  readonly adrift: ReadonlyMap<NamespaceAccount, ReadonlyMap<number, readonly AdriftEffect[]>>;
}

/** Sorts a thread's effects by the row they are drawn at. *Cost*: linear in the effects. */
export function effectsOnRows(facts: ThreadFacts): RowEffects {
  const joined = new Map<NamespaceAccount, Map<number, Map<NodeName, NodeEffects>>>();
  const adrift = new Map<NamespaceAccount, Map<number, AdriftEffect[]>>();
  for (const { execution, fate } of facts.log?.fates ?? []) {
    const { node, effects } = execution;
    if (fate.kind === 'committed') {
      const edges = getOrMake(joined, fate.account, () => new Map<number, Map<NodeName, NodeEffects>>());
      const nodes = getOrMake(edges, fate.child, () => new Map<NodeName, NodeEffects>());
      const known = nodes.get(node) ?? { executions: 0, records: 0 };
      nodes.set(node, { executions: known.executions + 1, records: known.records + effects.length });
      continue;
    }
    const planned = place(facts.thread, execution);
    if (planned === null) continue;
    const rows = getOrMake(adrift, planned.account, () => new Map<number, AdriftEffect[]>());
    pushTo(rows, planned.at, { node, run: effects[0].run, fate: fate.kind });
  }
  return { joined, adrift };
}
