/**
 * Which names do rows show as nodes of a graph? Read off single rows, without building a tree: what ran is in
 * `versions_seen`, what is due in the names of trigger channels and in Send lists. Easy to get wrong: a name that is
 * missing here turns a lost execution into a note, so everything that may name a node counts.
 */
import type { ChannelName, NodeName } from '#analysis/model/identifiers.ts';
import type { StoredValue } from '#analysis/model/checkpoint.ts';
import { triggeredNode } from '#analysis/rows/trigger-channels.ts';
import { decodeStored } from '#analysis/serialization/decode-stored.ts';
import { sendList, sendNode } from '#analysis/serialization/send-list.ts';
import { readTaskPath } from '#analysis/serialization/task-path.ts';
import type { DecodedRow } from '../dump/row-decoder.ts';

/** Collects the names of nodes. *Cost*: linear in the rows; its size that of the graph. */
export class RowNodes {
  readonly #nodes = new Set<NodeName>();
  readonly #channels = new Set<ChannelName>();

  /** Every name seen so far, LangGraph's own (`__input__`) among them. */
  get nodes(): ReadonlySet<NodeName> {
    return this.#nodes;
  }

  add({ table, row }: DecodedRow): void {
    if (table === 'checkpoints') {
      for (const node of row.versionsSeen.keys()) this.#nodes.add(node);
      for (const channel of row.channelVersions.keys()) this.#channel(channel);
      return;
    }
    this.#channel(row.channel);
    if (row.channel === '__pregel_tasks') this.#sends(row.value, table === 'writes');
    if (table === 'writes' && row.taskPath !== null) {
      const path = readTaskPath(row.taskPath);
      if (path?.kind === 'pull') this.#nodes.add(path.node);
      else if (path?.kind === 'handler') this.#nodes.add(path.failed);
    }
  }

  #channel(channel: ChannelName): void {
    if (this.#channels.has(channel)) return;
    this.#channels.add(channel);
    const node = triggeredNode(channel);
    if (node !== null) this.#nodes.add(node);
  }

  #sends(value: StoredValue, isSingle: boolean): void {
    const decoded = decodeStored(value);
    const single = isSingle && decoded.kind === 'value' ? sendNode(decoded.value) : null;
    if (single !== null) {
      this.#nodes.add(single);
      return;
    }
    const list = sendList(decoded);
    if (list.kind === 'sends') for (const node of list.nodes) this.#nodes.add(node);
  }
}
