/**
 * Everything the rows of one thread say, computed once and read by every detector: a tree per namespace, what ran on
 * each edge, and stores for blobs and writes. Easy to get wrong: a namespace of a subgraph has its own head, and yet
 * hangs on an edge of its parent graph that may be off the root's head lineage.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { CheckpointId, Namespace } from '#analysis/model/identifiers.ts';
import type { Writer } from '#analysis/model/report.ts';
import type { SiblingSet } from '#analysis/lineage/siblings.ts';
import type { Tree } from '#analysis/lineage/tree.ts';
import type { Walk } from '#analysis/lineage/walk.ts';
import type { BlobStore, WriteStore } from '#analysis/rows/stores.ts';
import type { EdgeAccount } from './edge-account.ts';

/** One namespace of a thread. */
export interface NamespaceAccount {
  readonly namespace: Namespace;
  readonly tree: Tree;
  /** 1 for rows on the head's lineage of this namespace. */
  readonly onHead: Uint8Array;
  /** What ran on the edge above each row. */
  readonly edges: readonly EdgeAccount[];
  /** 1 for edges that the root's head does not show: off this head's lineage, or hung on such an edge. */
  readonly hidden: Uint8Array;
  readonly forks: readonly SiblingSet[];
  readonly writer: Writer;
  /** Index of an id; undefined when the row is absent. Indexed at the first call. */
  readonly find: (id: CheckpointId) => number | undefined;
  /** The tree's numbering, made at the first call. */
  readonly walk: () => Walk;
}

/** The rows of one thread, accounted for. */
export interface ThreadAccount {
  readonly rows: ThreadRows;
  /** The root namespace first, then by name. */
  readonly namespaces: readonly NamespaceAccount[];
  readonly byName: ReadonlyMap<Namespace, NamespaceAccount>;
  readonly blobs: BlobStore;
  readonly writes: WriteStore;
}
