/**
 * The two text forms of a bytea: `\x` and hex digits (the default since PostgreSQL 9), or printable bytes as they are
 * with `\\` and `\ooo`. Easy to get wrong: both begin with a backslash when the first byte is not printable, so only
 * the `x` tells them apart. *Source*: PostgreSQL 15 manual, "Binary Data Types".
 */

const backslash = 0x5c;
const letterX = 0x78;

/** The bytes behind a bytea's text; null when it is neither form. Never shares memory with `text`. */
export function byteaBytes(text: Buffer): Buffer | null {
  if (text[0] === backslash && text[1] === letterX) {
    const hexLength = text.length - 2;
    const bytes = Buffer.from(text.toString('latin1', 2), 'hex');
    // Buffer.from stops silently at the first character that is no hex digit.
    return bytes.length * 2 === hexLength ? bytes : null;
  }
  return escapeFormat(text);
}

function escapeFormat(text: Buffer): Buffer | null {
  const out = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte !== backslash) {
      out[length++] = byte;
    } else if (text[at + 1] === backslash) {
      out[length++] = backslash;
      at += 1;
    } else {
      const digits = text.toString('latin1', at + 1, at + 4);
      if (!/^[0-3][0-7]{2}$/.test(digits)) return null;
      out[length++] = Number.parseInt(digits, 8);
      at += 3;
    }
  }
  return Buffer.from(out.subarray(0, length));
}
