/**
 * Which names does a thread's evidence hold, and what are they called instead? Easy to get wrong: names hide inside
 * others (`branch:to:plan`, `plan:<task>|…`), and rules quote them, so every form a report can show is listed.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { printName } from '#analysis/invariants/rule-text.ts';
import { relabelling } from '#analysis/lineage/relabel.ts';
import { triggeredNode } from '#analysis/rows/trigger-channels.ts';
import { pseudoNodes } from '#analysis/rows/versions-seen.ts';
import { FoundNames } from './found-names.ts';
import { RowNodes } from '../source/row-nodes.ts';

type Names = Map<string, string>;

/** LangGraph's own channels keep their names; a user's `__proto__` is not among them. */
const ownChannel =
  /^__(?:start|end|error|error_source_node|interrupt|resume|return|scheduled|no_writes|pregel_tasks|root|previous|input)__?$/;

/** Names of one source. Threads, schemas, nodes, channels, workers and keys are numbered throughout, ids by thread. */
export class SourceNames {
  readonly #threads = relabelling('t');
  readonly #schemas = relabelling('s');
  readonly #nodes = relabelling('n');
  readonly #channels = relabelling('c');
  readonly #workers = relabelling('w');
  readonly #keys = relabelling('b-');

  /** Names nodes in the order given. */
  nodes(nodes: Iterable<string>): void {
    for (const node of nodes) if (!pseudoNodes.has(node)) this.#nodes.name(node);
  }

  /** The neutral name of a node. */
  node(node: NodeName): NodeName {
    return (pseudoNodes.has(node) ? node : this.#nodes.name(node)) as NodeName;
  }

  /** Original → neutral for everything the thread's evidence names. *Cost*: linear in its rows. */
  thread({ rows, log, runs, ledger, provider }: ThreadEvidence): ReadonlyMap<string, string> {
    const names: Names = new Map();
    const found = new FoundNames();
    for (const row of rows.checkpoints) found.checkpoint(row);
    for (const row of rows.blobs ?? []) {
      found.channels.add(row.channel);
      found.namespace(row.namespace);
    }
    for (const row of rows.writes ?? []) found.write(row);
    for (const effect of [...(log?.effects ?? []), ...(log?.table ?? [])]) found.effect(effect);
    for (const { worker } of log?.health?.lost ?? []) found.workers.add(worker);
    for (const worker of log?.health?.indeterminate ?? []) found.workers.add(worker);
    for (const { run, worker } of runs ?? []) found.run(run, worker);
    for (const call of provider?.calls ?? []) found.call(call);
    for (const { run } of ledger?.runs ?? []) found.runs.add(run);
    const rowNodes = new RowNodes();
    for (const row of rows.checkpoints) rowNodes.add({ table: 'checkpoints', row });
    for (const row of rows.blobs ?? []) rowNodes.add({ table: 'blobs', row });
    for (const row of rows.writes ?? []) rowNodes.add({ table: 'writes', row });
    this.#numbered(names, 'p', found.checkpoints);
    this.#numbered(names, 'k', found.tasks);
    this.#numbered(names, 'r', found.runs);
    for (const worker of sorted(found.workers)) names.set(worker, this.#workers.name(worker));
    for (const key of sorted(found.keys)) names.set(key, this.#keys.name(key));
    for (const channel of sorted(found.channels)) {
      if (ownChannel.test(channel) || triggeredNode(channel as never) !== null) continue;
      names.set(channel, this.#channels.name(channel));
    }
    this.#addNodes(names, sorted(new Set<string>([...found.nodes, ...rowNodes.nodes])));
    if (rows.schema !== null) names.set(rows.schema, this.#schemas.name(rows.schema));
    names.set(rows.thread, this.#threads.name(rows.thread));
    return names;
  }

  /** The same list with the nodes that only the report names, such as those of rules and recognised tasks. */
  withReport(known: ReadonlyMap<string, string>, report: ThreadReport): ReadonlyMap<string, string> {
    const nodes = new Set<string>(this.#nodes.names.keys());
    for (const { executions, hidden } of report.namespaces) {
      for (const counts of [executions.tree, executions.pending, executions.log ?? [], hidden]) {
        for (const [node] of counts) nodes.add(node);
      }
    }
    for (const node of [...report.next, ...report.unrecorded.keys()]) nodes.add(node);
    const names: Names = new Map(known);
    this.#addNodes(
      names,
      [...nodes].filter((node) => !known.has(node)),
    );
    return names;
  }

  #addNodes(names: Names, nodes: readonly string[]): void {
    for (const node of nodes) {
      if (node === '' || pseudoNodes.has(node)) continue;
      const name = this.#nodes.name(node);
      names.set(node, name);
      names.set(printName(node as NodeName), name);
    }
  }

  #numbered(names: Names, prefix: string, ids: ReadonlySet<string>): void {
    const { name } = relabelling(prefix);
    for (const id of sorted(ids)) names.set(id, name(id));
  }
}

function sorted(texts: ReadonlySet<string>): readonly string[] {
  return [...texts].filter((text) => text !== '').sort();
}
