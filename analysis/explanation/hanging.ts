/**
 * Which namespaces of subgraphs hang below which row: each row of a subgraph names, under `metadata.parents`, the
 * checkpoint its task was planned from. Easy to get wrong: a subgraph with memory of its own keeps one namespace over
 * many turns, so one namespace may hang on many rows, and each row gets its own share of it.
 */
import type { Namespace } from '#analysis/model/identifiers.ts';
import { getOrMake, pushTo } from '#analysis/model/maps.ts';
import type { NamespaceFacts } from '#analysis/anomalies/facts.ts';
import { enclosingNamespace } from '#analysis/executions/hang.ts';

/** The share of one namespace that hangs on one row. */
export interface Hanging {
  readonly namespace: Namespace;
  /** Indices into that namespace's tree, ascending; at least one. */
  readonly rows: readonly number[];
  /** Whether it is where the namespace is drawn when unfolded: the first row it hangs on. */
  readonly isFirst: boolean;
}

/** Enclosing namespace → index of its row → what hangs there. Namespaces that hang nowhere are in no list. */
export type HungNamespaces = ReadonlyMap<Namespace, ReadonlyMap<number, readonly Hanging[]>>;

/** Finds where every namespace of a thread hangs. *Cost*: linear in their rows. */
export function hungNamespaces(namespaces: readonly NamespaceFacts[]): HungNamespaces {
  const known = new Map(namespaces.map(({ account }) => [account.namespace, account]));
  const hung = new Map<Namespace, Map<number, Hanging[]>>();
  for (const { account } of namespaces) {
    const enclosing = known.get(enclosingNamespace(account.namespace, known) ?? account.namespace);
    if (enclosing === undefined || enclosing === account) continue;
    const shares = new Map<number, number[]>();
    account.tree.rows.forEach((row, at) => {
      const planned = row.parents.get(enclosing.namespace);
      const place = planned === undefined ? undefined : enclosing.find(planned);
      if (place !== undefined) pushTo(shares, place, at);
    });
    const rowsOfEnclosing = getOrMake(hung, enclosing.namespace, () => new Map<number, Hanging[]>());
    const places = [...shares].sort((a, b) => a[0] - b[0]);
    places.forEach(([place, rows], nth) => {
      pushTo(rowsOfEnclosing, place, { namespace: account.namespace, rows, isFirst: nth === 0 });
    });
  }
  return hung;
}
