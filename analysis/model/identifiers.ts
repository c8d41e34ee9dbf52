/**
 * The identifiers of LangGraph rows as branded strings, so that a task id cannot be passed where a checkpoint id
 * is meant. They are opaque: any text may be an identifier (tabs, ANSI escapes, 60 KB), so nothing here validates.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `thread_id`: one LangGraph conversation. */
export type ThreadId = Branded<'ThreadId'>;
/** `checkpoint_ns`: `''` is the root graph, `node:<taskId>` a subgraph, levels joined by `|`. */
export type Namespace = Branded<'Namespace'>;
/** `checkpoint_id`: a version-6 UUID carrying its creation time; unique within (thread, namespace). */
export type CheckpointId = Branded<'CheckpointId'>;
/** `task_id`: a function of (parent checkpoint, namespace, step, node, path), equal for racing workers. */
export type TaskId = Branded<'TaskId'>;
/** A node of the graph, or the name of a functional task. */
export type NodeName = Branded<'NodeName'>;
/** A channel of the graph's state, or one of LangGraph's own (`branch:to:x`, `__pregel_tasks`). */
export type ChannelName = Branded<'ChannelName'>;
/** The token that names one run (one invoke or stream); rows carry it in metadata under `forkscope_run`. */
export type RunToken = Branded<'RunToken'>;

/** The namespace of the root graph. */
export const rootNamespace = '' as Namespace;

/** The metadata key under which the harness stores the run token. Never `run_id`: an equal one makes LangGraph resume. */
export const runTokenKey = 'forkscope_run';
