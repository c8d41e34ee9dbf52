/**
 * COPY's text format, one field at a time. Easy to get wrong: NULL is the raw field `\N`, while a text that consists
 * of a backslash and an N is written `\\N`; and octal and hex escapes give bytes, of which several may make one
 * character. *Source*: PostgreSQL 15 manual, COPY, "Text Format".
 */

const backslash = 0x5c;
const letterN = 0x4e;
const letterX = 0x78;

/** The escapes that name a control character; any other escaped character stands for itself. */
const controls: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08], // b
  [0x66, 0x0c], // f
  [0x6e, 0x0a], // n
  [0x72, 0x0d], // r
  [0x74, 0x09], // t
  [0x76, 0x0b], // v
]);

/**
 * The bytes of the raw field `bytes[start, end)`, or null for NULL. *Cost*: no copy when there is nothing to undo but
 * a leading escaped backslash, which is every hex bytea; the result then shares memory with `bytes`.
 */
export function copyField(bytes: Buffer, start: number, end: number): Buffer | null {
  const field = bytes.subarray(start, end);
  const first = field.indexOf(backslash);
  if (first < 0) return field;
  if (field.length === 2 && field[0] === backslash && field[1] === letterN) return null;
  if (first === 0 && field[1] === backslash && field.indexOf(backslash, 2) < 0) return field.subarray(1);
  return unescaped(field, first);
}

function unescaped(field: Buffer, first: number): Buffer {
  const out = Buffer.allocUnsafe(field.length);
  let length = field.copy(out, 0, 0, first);
  for (let at = first; at < field.length;) {
    const byte = field[at] ?? 0;
    const next = field[at + 1];
    if (byte !== backslash || next === undefined) {
      out[length++] = byte;
      at += 1;
      continue;
    }
    const digits = isOctal(next) ? digitsAt(field, at + 1, 3, isOctal) : 0;
    const hexDigits = next === letterX ? digitsAt(field, at + 2, 2, isHex) : 0;
    if (digits > 0) {
      out[length++] = Number.parseInt(field.toString('latin1', at + 1, at + 1 + digits), 8) & 0xff;
      at += 1 + digits;
    } else if (hexDigits > 0) {
      out[length++] = Number.parseInt(field.toString('latin1', at + 2, at + 2 + hexDigits), 16);
      at += 2 + hexDigits;
    } else {
      out[length++] = controls.get(next) ?? next;
      at += 2;
    }
  }
  return out.subarray(0, length);
}

function digitsAt(bytes: Buffer, start: number, most: number, isDigit: (byte: number) => boolean): number {
  let count = 0;
  while (count < most && isDigit(bytes[start + count] ?? 0)) count += 1;
  return count;
}

function isOctal(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x37;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

const escapes: ReadonlyMap<number, string> = new Map([
  [backslash, '\\\\'],
  ...[...controls].map(([letter, control]): [number, string] => [
    control,
    `\\${String.fromCharCode(letter)}`,
  ]),
]);

/** The raw field for given bytes (null: NULL), as Postgres writes it: the inverse of {@link copyField}. */
export function copyEncoded(value: Buffer | null): Buffer {
  if (value === null) return Buffer.from('\\N');
  const bytes = value.toString('latin1');
  const encoded = bytes.replace(escaped, (byte) => escapes.get(byte.charCodeAt(0)) ?? byte);
  return encoded === bytes ? value : Buffer.from(encoded, 'latin1');
}

const escaped = /[\\\b\f\n\r\t\v]/g;

/** True when `bytes[start, end)` is the line that ends a section. */
export function isCopyEnd(bytes: Buffer, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === backslash && bytes[start + 1] === 0x2e;
}
