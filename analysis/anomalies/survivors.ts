/**
 * Whose value a shared blob holds. A list that grows by appending ends with what the surviving branch wrote; a plain
 * value equals it. Where both branches wrote the same, nothing tells them apart and nothing is claimed. The blobs of
 * one put are inserted in one transaction, so what is known of one pair holds for every pair of the same edges.
 */
import type { WriteRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName } from '#analysis/model/identifiers.ts';
import type { NamespaceAccount, ThreadAccount } from '#analysis/executions/account.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { isOutput } from '#analysis/rows/control-channels.ts';
import { decodeStored } from '#analysis/serialization/decode-stored.ts';
import { isList, type Decoded } from '#analysis/serialization/decoded.ts';
import { sameValue } from '#analysis/serialization/same-value.ts';
import type { Collision } from './version-collisions.ts';

/** Introducing rows of one set of collisions → the row whose blobs were kept; absent where nothing tells. */
export type Survivors = ReadonlyMap<string, number>;

/** The key under which {@link Survivors} holds a set of introducers. */
export function introducersKey(introducers: readonly number[]): string {
  return introducers.join(',');
}

/** Names the survivors that stored values prove. *Cost*: linear in the values compared. */
export function survivors(
  thread: ThreadAccount,
  account: NamespaceAccount,
  collisions: readonly Collision[],
): Survivors {
  const found = new Map<string, number>();
  const contradicted = new Set<string>();
  for (const collision of collisions) {
    const survivor = survivorOf(thread, account, collision);
    if (survivor === null) continue;
    const key = introducersKey(collision.introducers);
    const known = found.get(key);
    if (known !== undefined && known !== survivor) contradicted.add(key);
    found.set(key, survivor);
  }
  for (const key of contradicted) found.delete(key);
  return found;
}

function survivorOf(thread: ThreadAccount, account: NamespaceAccount, collision: Collision): number | null {
  const stored = thread.blobs.find(account.namespace, collision.channel, collision.version);
  const decoded = stored === undefined ? null : decodeStored(stored);
  if (decoded?.kind !== 'value') return null;
  const matching: number[] = [];
  for (const introducer of collision.introducers) {
    const written = writtenBy(thread, account, introducer, collision.channel);
    // A branch whose writes are unknown may be the survivor too.
    if (written === null) return null;
    if (endsWith(decoded.value, written)) matching.push(introducer);
  }
  return matching.length === 1 ? (matching[0] ?? null) : null;
}

/** The one value the superstep before `introducer` wrote to a channel; null when it is not certain. */
function writtenBy(
  thread: ThreadAccount,
  account: NamespaceAccount,
  introducer: number,
  channel: ChannelName,
): Decoded | null {
  const row = rowAt(account.tree, introducer);
  if (row.parent === null || account.edges[introducer]?.kind !== 'superstep') return null;
  const writes = thread.writes
    .at(account.namespace, row.parent)
    .filter((write: WriteRow) => write.channel === channel && isOutput(write));
  const [only] = writes;
  if (only === undefined || writes.length > 1) return null;
  const decoded = decodeStored(only.value);
  return decoded.kind === 'value' ? decoded.value : null;
}

function endsWith(value: Decoded, written: Decoded): boolean {
  if (sameValue(value, written)) return true;
  if (!isList(value)) return false;
  const tail = isList(written) ? written : [written];
  if (tail.length === 0 || tail.length > value.length) return false;
  return tail.every((item, at) => sameValue(value[value.length - tail.length + at] ?? null, item));
}
