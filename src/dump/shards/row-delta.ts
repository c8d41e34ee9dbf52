/**
 * A packed row as what differs from the row of its thread before it: a superstep changes few of the words of its
 * checkpoint. Easy to get wrong: the row before must be the one the reader meets before, so it is always the last of the
 * same thread and table in the same block.
 *
 *      words of the row · a bit for each word that differs, 32 a word · the words that differ
 */

/** Writes the row `full[at, at + length)` to `out[to…]` against the row at `base`; returns the words taken. */
export function packDelta(
  full: Uint32Array,
  at: number,
  length: number,
  base: number,
  baseLength: number,
  out: Uint32Array,
  to: number,
): number {
  const masks = to + 1;
  const maskWords = (length + 31) >>> 5;
  let literal = masks + maskWords;
  out[to] = length;
  for (let mask = 0; mask < maskWords; mask += 1) {
    let bits = 0;
    const first = mask << 5;
    const last = Math.min(first + 32, length);
    for (let word = first; word < last; word += 1) {
      const value = full[at + word] ?? 0;
      if (word < baseLength && full[base + word] === value) continue;
      bits |= 1 << (word & 31);
      out[literal] = value;
      literal += 1;
    }
    out[masks + mask] = bits;
  }
  return literal - to;
}

/** Words of the row that {@link packDelta} wrote at `at`. */
export function deltaLength(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

/** Writes the row that {@link packDelta} wrote at `at` to `out[to…]`; `base` is the row before it, also in `out`. */
export function unpackDelta(
  words: Uint32Array,
  at: number,
  out: Uint32Array,
  base: number,
  to: number,
): void {
  const length = words[at] ?? 0;
  const maskWords = (length + 31) >>> 5;
  let literal = at + 1 + maskWords;
  for (let mask = 0; mask < maskWords; mask += 1) {
    const bits = words[at + 1 + mask] ?? 0;
    const first = mask << 5;
    const last = Math.min(first + 32, length);
    for (let word = first; word < last; word += 1) {
      if ((bits & (1 << (word & 31))) === 0) out[to + word] = out[base + word] ?? 0;
      else {
        out[to + word] = words[literal] ?? 0;
        literal += 1;
      }
    }
  }
}
