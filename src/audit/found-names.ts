/** Every name that the evidence of one thread holds, by what it names. Namespaces are taken apart into their names. */
import type { CheckpointRow, WriteRow } from '#analysis/model/checkpoint.ts';
import type { Effect } from '#analysis/model/effect.ts';
import type { ProviderCall } from '#analysis/model/provider.ts';

/** Collects names; nothing is renamed here. */
export class FoundNames {
  readonly checkpoints = new Set<string>();
  readonly tasks = new Set<string>();
  readonly runs = new Set<string>();
  readonly nodes = new Set<string>();
  readonly channels = new Set<string>();
  readonly workers = new Set<string>();
  readonly keys = new Set<string>();
  readonly #namespaces = new Set<string>();

  checkpoint(row: CheckpointRow): void {
    this.namespace(row.namespace);
    this.checkpoints.add(row.id);
    if (row.parent !== null) this.checkpoints.add(row.parent);
    if (row.run !== null) this.runs.add(row.run);
    const runId = row.metadata.get('run_id');
    if (typeof runId === 'string') this.runs.add(runId);
    for (const channel of row.channelVersions.keys()) this.channels.add(channel);
    for (const [namespace, id] of row.parents) {
      this.namespace(namespace);
      this.checkpoints.add(id);
    }
  }

  write(row: WriteRow): void {
    this.namespace(row.namespace);
    this.checkpoints.add(row.checkpoint);
    this.tasks.add(row.task);
    this.channels.add(row.channel);
  }

  effect({ node, run, parent, task, namespace, worker, businessKey }: Effect): void {
    this.nodes.add(node);
    if (namespace !== null) this.namespace(namespace);
    if (parent !== null) this.checkpoints.add(parent);
    if (task !== null) this.tasks.add(task);
    if (run !== null) this.runs.add(run);
    if (worker !== null) this.workers.add(worker);
    if (businessKey !== null) this.keys.add(businessKey);
  }

  run(run: string, worker: string): void {
    this.runs.add(run);
    this.workers.add(worker);
  }

  call({ run, node, businessKey, key, made }: ProviderCall): void {
    if (run !== null) this.runs.add(run);
    if (node !== null) this.nodes.add(node);
    for (const text of [businessKey, key, made?.charge]) if (typeof text === 'string') this.keys.add(text);
  }

  /** `node:task|node:task`; a count may stand between two bars. */
  namespace(namespace: string): void {
    if (namespace === '' || this.#namespaces.has(namespace)) return;
    this.#namespaces.add(namespace);
    for (const part of namespace.split('|')) {
      const colon = part.indexOf(':');
      this.nodes.add(colon < 0 ? part : part.slice(0, colon));
      if (colon >= 0) this.tasks.add(part.slice(colon + 1));
    }
  }
}
