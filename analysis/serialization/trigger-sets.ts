/**
 * The lists of trigger channels that a pulled task's id may be made of. JS since 0.4.6 hashes the one channel that
 * started the task, older JS and older Python those that were new, Python since 0.3.17 all of the node's. Easy to get
 * wrong: LangGraph sorts the list, and subsets double with every channel, so beyond a few only some are tried.
 */
import type { ChannelName, NodeName } from '../model/identifiers.ts';

/** More triggers than this on one node are tried one by one, all together and in pairs, not in every subset. */
const triggersInAllSubsets = 6;

/**
 * Sorted lists, most likely first: each channel alone, then all together, then the rest. `known` are the node's
 * channels besides `branch:to:<node>`. *Cost*: below 2^6 lists, or a quadratic number beyond six channels.
 */
export function* triggerSets(
  node: NodeName,
  known: readonly ChannelName[],
): Generator<readonly ChannelName[]> {
  const channels = [...new Set([...known, `branch:to:${node}` as ChannelName])].sort(byCodeUnit);
  for (const channel of channels) yield [channel];
  if (channels.length === 1) return;
  yield channels;
  if (channels.length === 2) return;
  if (channels.length > triggersInAllSubsets) {
    for (const [at, one] of channels.entries()) {
      for (const other of channels.slice(at + 1)) yield [one, other];
    }
    return;
  }
  for (let mask = 1; mask < 2 ** channels.length - 1; mask += 1) {
    const subset = channels.filter((_, bit) => (mask >> bit) & 1);
    if (subset.length > 1) yield subset;
  }
}

/** Python sorts text by code point, JS by code unit; trigger names that tell the two apart do not occur. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
