/**
 * Are two decoded values the same state? Asked of what a run returned and what a row holds, or of two branches' blobs.
 * Easy to get wrong: a mapping has no order (Postgres and the serializers each have their own), a list has; and depth
 * is the data's to choose, so nothing here recurses.
 */
import { type Decoded, isConstructed, isList, isMapping } from './decoded.ts';

/**
 * Structural equality: lists by position, mappings by key whatever their order, bytes by content, NaN equal to NaN,
 * 0 equal to -0. Sets are equal only when written in the same order; neither writer sorts them.
 * *Cost*: linear in the smaller value; stops at the first difference.
 */
export function sameValue(one: Decoded, other: Decoded): boolean {
  const pairs: (readonly [Decoded, Decoded])[] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    if (!sameTop(pair[0], pair[1], pairs)) return false;
  }
  return true;
}

/** Compares without descending; what must be equal below is added to `below`. */
function sameTop(a: Decoded, b: Decoded, below: (readonly [Decoded, Decoded])[]): boolean {
  if (a === b) return true;
  if (typeof a === 'number') return Number.isNaN(a) && Number.isNaN(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    a.forEach((item, index) => below.push([item, b[index] ?? null]));
    return true;
  }
  if (isMapping(a)) {
    if (!isMapping(b) || a.size !== b.size) return false;
    for (const [key, value] of a) {
      const match = b.get(key);
      if (match === undefined) return false;
      below.push([value, match]);
    }
    return true;
  }
  if (!isConstructed(b) || a.module !== b.module || a.name !== b.name) return false;
  below.push([a.payload, b.payload]);
  return true;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
