/**
 * Which node a trigger channel starts, by its name. Node names contain no `:`, so the names parse unambiguously.
 * Before `branch:to:X`, a node's own channel triggered its static successors: such a name says nothing, and only what
 * the thread's own rows saw can tell.
 * Source: langgraph-format §5.2 and §17.9.
 */
import type { ChannelName, NodeName } from '#analysis/model/identifiers.ts';
import { barrierName } from '#analysis/serialization/barrier.ts';

/** The node that the channel's name says it triggers; null when the name does not say. */
export function triggeredNode(channel: ChannelName): NodeName | null {
  const colon = channel.indexOf(':');
  if (colon < 0) return null;
  if (channel.startsWith('join:')) return barrierName(channel)?.target ?? null;
  const prefix = channel.slice(0, colon);
  // `branch:to:X`, `branch:SRC:cond:X`, `branch:SRC:__self__:X`, `start:X`, `__start__:X`: the target comes last.
  if (prefix !== 'branch' && prefix !== 'start' && prefix !== '__start__') return null;
  return channel.slice(channel.lastIndexOf(':') + 1) as NodeName;
}
