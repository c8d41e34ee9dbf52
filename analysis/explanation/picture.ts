/**
 * What a drawing of one thread shows, row by row and joined once: what ran on the edge above a row, which effects the
 * log shows there, what stands pending under it, which channels a leaf reads from another branch. Every renderer
 * (terminal, Graphviz, JSON) reads this and computes nothing. Easy to get wrong: what happened between two rows
 * belongs to the edge, and an edge is named by its child, since a parent may have several.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { CheckpointId, Namespace } from '#analysis/model/identifiers.ts';
import type { Fork, ThreadReport } from '#analysis/model/report.ts';
import type { NamespaceFacts, ThreadFacts } from '#analysis/anomalies/facts.ts';
import type { EdgeAccount } from '#analysis/executions/edge-account.ts';
import { uncommittedTasks, type UncommittedTask } from '#analysis/executions/pending.ts';
import { headOf } from '#analysis/lineage/head.ts';
import { absentParent, childCount, noParent, rowAt, type Tree } from '#analysis/lineage/tree.ts';
import { invariant } from '#analysis/model/bug.ts';
import { pushTo } from '#analysis/model/maps.ts';
import { effectsOnRows, type AdriftEffect, type JoinedEffects } from './row-effects.ts';
import { hungNamespaces, type Hanging } from './hanging.ts';
import { misreadChannels, type MisreadChannels } from './victims.ts';

/** One row with everything that is drawn at it. */
export interface PicturedRow {
  /** Index in the namespace's tree. */
  readonly at: number;
  readonly row: CheckpointRow;
  /** Index of the parent; {@link noParent} or {@link absentParent}. */
  readonly parent: number;
  /** The parent's id where its row is absent and nothing stands in for it in the drawing; null otherwise. */
  readonly absentParent: CheckpointId | null;
  /** What ran on the edge above. */
  readonly edge: EdgeAccount;
  /** The log's effects on that edge; null without a log. */
  readonly effects: JoinedEffects | null;
  /** Effects planned at this row that no edge commits. */
  readonly adrift: readonly AdriftEffect[];
  readonly isHead: boolean;
  readonly isLeaf: boolean;
  /** Not on what the thread's head shows. */
  readonly isHidden: boolean;
  /** The fork whose parent this row is; null for at most one child. */
  readonly fork: Fork | null;
  /** Finished tasks stored under this row that no superstep committed. */
  readonly waiting: readonly UncommittedTask[];
  /** Channels that this leaf reads from another branch; null for none. */
  readonly misread: MisreadChannels | null;
}

/** One namespace of a thread. */
export interface PicturedNamespace {
  readonly namespace: Namespace;
  readonly tree: Tree;
  /** By index in the tree. */
  readonly rows: readonly PicturedRow[];
  /** Forks whose parent is no row: NULL (two roots), or a row that is absent. */
  readonly rootless: readonly Fork[];
  /** Namespaces of subgraphs by the index of the row their tasks were planned at. */
  readonly hanging: ReadonlyMap<number, readonly Hanging[]>;
}

/** A whole thread. */
export interface ThreadPicture {
  readonly report: ThreadReport;
  /** The root namespace first where it has rows. */
  readonly namespaces: readonly PicturedNamespace[];
  /** Nodes that this thread's log names; null without a log. */
  readonly logged: ReadonlySet<string> | null;
}

/** Pictures a thread. `report` is what the analysis said of `facts`. *Cost*: linear in rows and effects. */
export function pictureThread(facts: ThreadFacts, report: ThreadReport): ThreadPicture {
  const effects = effectsOnRows(facts);
  const victims = misreadChannels(report.findings);
  const hung = hungNamespaces(facts.namespaces);
  const log = facts.evidence.log;
  return {
    report,
    namespaces: facts.namespaces.map((namespace) => {
      const { account } = namespace;
      const waiting = new Map<CheckpointId, UncommittedTask[]>();
      for (const task of uncommittedTasks(facts.thread, account, facts.names)) {
        pushTo(waiting, task.checkpoint, task);
      }
      const forkAt = new Map<number, Fork>();
      for (const { set, fork } of namespace.forks) {
        if (set.parentIndex !== null) forkAt.set(set.parentIndex, fork);
      }
      const { tree } = account;
      const rootless = namespace.forks.flatMap(({ set, fork }) => (set.parentIndex === null ? [fork] : []));
      const standIns = new Set(rootless.map(({ parent }) => parent));
      return {
        namespace: account.namespace,
        tree,
        rows: tree.rows.map((row, at): PicturedRow => ({
          at,
          row,
          parent: tree.parentOf[at] ?? noParent,
          absentParent: tree.parentOf[at] === absentParent && !standIns.has(row.parent) ? row.parent : null,
          edge: edgeAt(namespace, at),
          effects: log === null ? null : (effects.joined.get(account)?.get(at) ?? new Map()),
          adrift: effects.adrift.get(account)?.get(at) ?? none,
          isHead: at === headOf(tree),
          isLeaf: childCount(tree, at) === 0,
          isHidden: account.hidden[at] === 1,
          fork: forkAt.get(at) ?? null,
          waiting: waiting.get(row.id) ?? none,
          misread: victims.get(account.namespace)?.get(row.id) ?? null,
        })),
        rootless,
        hanging: hung.get(account.namespace) ?? new Map(),
      };
    }),
    logged: log === null ? null : new Set([...log.effects, ...(log.table ?? [])].map(({ node }) => node)),
  };
}

const none: readonly never[] = [];

function edgeAt({ edges }: NamespaceFacts, at: number): EdgeAccount {
  const edge = edges[at];
  invariant(edge !== undefined, 'every row has an edge account');
  return edge;
}

/** The row of a namespace at an index that comes from its own tree. */
export function picturedRow(namespace: PicturedNamespace, at: number): PicturedRow {
  const row = namespace.rows[at];
  invariant(row !== undefined, 'indices of a tree name its rows');
  return row;
}

/** Every checkpoint id of a thread, absent parents included, each once. */
export function idsOf(picture: ThreadPicture): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { tree } of picture.namespaces) {
    for (let at = 0; at < tree.rows.length; at++) {
      const { id, parent } = rowAt(tree, at);
      ids.add(id);
      if (parent !== null) ids.add(parent);
    }
  }
  return ids;
}
