/**
 * Ids cut to what tells them apart within one thread. Checkpoint ids begin with their creation time, so the ids of
 * one run share a long prefix and racing ones a longer one; the cut differs from id to id. Easy to get wrong: an id
 * that is itself the beginning of another is named in full, and an exact match wins over a prefix.
 */

/** Fewer characters than this say little and make a poor search text. */
export const leastPrefix = 8;

/**
 * Id → its shortest prefix of at least `least` characters that no other id of the set begins with; the id itself
 * where there is none. *Cost*: one sort, then linear in the text.
 */
export function shortIds(ids: Iterable<string>, least = leastPrefix): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort(byCodeUnit);
  const short = new Map<string, string>();
  sorted.forEach((id, at) => {
    // Sorted by code unit, the neighbours are the ids that share most with it.
    const shared = Math.max(sharedLength(id, sorted[at - 1]), sharedLength(id, sorted[at + 1]));
    short.set(id, wholeCharacters(id, Math.max(least, shared + 1)));
  });
  return short;
}

/** What a prefix names. */
export type PrefixMatch =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'none' }
  /** Ascending. */
  | { readonly kind: 'several'; readonly ids: readonly string[] };

/** The id that `prefix` names among `ids`: itself, or the only one that begins with it. */
export function findByPrefix(ids: Iterable<string>, prefix: string): PrefixMatch {
  const found = new Set<string>();
  for (const id of ids) {
    if (id === prefix) return { kind: 'one', id };
    if (prefix !== '' && id.startsWith(prefix)) found.add(id);
  }
  const [first, ...more] = [...found].sort(byCodeUnit);
  if (first === undefined) return { kind: 'none' };
  return more.length === 0 ? { kind: 'one', id: first } : { kind: 'several', ids: [first, ...more] };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sharedLength(id: string, other: string | undefined): number {
  if (other === undefined) return 0;
  const most = Math.min(id.length, other.length);
  let length = 0;
  while (length < most && id[length] === other[length]) length += 1;
  return length;
}

/** Never half of a surrogate pair: it could not be typed. */
function wholeCharacters(id: string, length: number): string {
  const last = id.charCodeAt(length - 1);
  const splits = last >= 0xd800 && last <= 0xdbff && length < id.length;
  return id.slice(0, splits ? length + 1 : length);
}
