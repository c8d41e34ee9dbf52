/** Texts as words of 32 bits: the length in bytes, then four bytes a word. */

/** Writes the length of `bytes[start, end)` and the bytes; returns the next word. */
export function packText(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Uint32Array,
  word: number,
): number {
  const length = end - start;
  out[word] = length;
  let at = start;
  let next = word + 1;
  for (; at + 4 <= end; at += 4, next += 1) {
    out[next] =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
  }
  if (at < end) {
    let last = 0;
    for (let shift = 0; at < end; at += 1, shift += 8) last |= (bytes[at] ?? 0) << shift;
    out[next] = last;
    next += 1;
  }
  return next;
}

/** How many words {@link packText} takes for `length` bytes, the length included. */
export function textWords(length: number): number {
  return 1 + ((length + 3) >>> 2);
}
