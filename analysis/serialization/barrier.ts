/**
 * Who has arrived at a barrier? The channel `join:a+b:X` collects the names of `a` and `b` and starts X when both are
 * there. Easy to get wrong: a node's name may itself contain `+`, so the channel's name cannot be split; but whether
 * all have arrived can still be told from lengths.
 */
import type { ChannelName, NodeName } from '../model/identifiers.ts';
import { type Decoded, isConstructed, isList } from './decoded.ts';

/** What a barrier channel holds. */
export interface Barrier {
  readonly arrived: ReadonlySet<NodeName>;
  /** For a deferred barrier, whether `finish()` has made it available; null for an ordinary one. */
  readonly finished: boolean | null;
}

/**
 * Reads the value of a barrier channel; null when it is none. JS writes a list, Python a set, and both of a deferred
 * barrier (`NamedBarrierValueAfterFinish`) the pair of that and a flag.
 */
export function barrierOf(value: Decoded): Barrier | null {
  const plain = namesOf(value);
  if (plain !== null) return { arrived: plain, finished: null };
  if (!isList(value) || value.length !== 2) return null;
  const [names, finished] = value;
  const arrived = names === undefined ? null : namesOf(names);
  return arrived === null || typeof finished !== 'boolean' ? null : { arrived, finished };
}

const setNames: ReadonlySet<string> = new Set(['set', 'frozenset', 'Set']);

function namesOf(value: Decoded): ReadonlySet<NodeName> | null {
  const items = isConstructed(value) && setNames.has(value.name) ? value.payload : value;
  if (!isList(items)) return null;
  const names = new Set<NodeName>();
  for (const item of items) {
    if (typeof item !== 'string') return null;
    names.add(item as NodeName);
  }
  return names;
}

/** The parts of a barrier's channel name: `join:<joined>:<target>`. */
export interface BarrierName {
  /** The awaited nodes' names joined by `+`. */
  readonly joined: string;
  readonly target: NodeName;
}

/** Reads a barrier's channel name; null for other channels. Node names hold no `:`, so this is unambiguous. */
export function barrierName(channel: ChannelName): BarrierName | null {
  const [prefix, joined, target, ...more] = channel.split(':');
  if (prefix !== 'join' || joined === undefined || target === undefined || more.length > 0) return null;
  return { joined, target: target as NodeName };
}

/**
 * True when the barrier may fire: all awaited nodes arrived and, if deferred, it is finished. Arrived names are
 * distinct and only awaited ones are let in, so all have arrived exactly when they are as long as the joined name.
 * (A graph that awaits one node twice, `join:a+a:X`, is the exception: there this says false.)
 */
export function barrierFires(name: BarrierName, barrier: Barrier): boolean {
  if (barrier.finished === false) return false;
  let length = Math.max(0, barrier.arrived.size - 1);
  for (const node of barrier.arrived) length += node.length;
  return barrier.arrived.size > 0 && length === name.joined.length;
}
