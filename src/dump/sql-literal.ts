/**
 * What names and literals of SQL text stand for. Easy to get wrong: an unquoted name is folded to lower case, a quoted
 * one is not; and a doubled quote inside stands for one.
 */
import type { Token } from './sql-tokens.ts';

/** A table's name; `schema` is null when the text does not give one. */
export interface TableName {
  readonly schema: string | null;
  readonly table: string;
}

/** As SQL would write it, without quotes: for messages and keys. */
export function tableText(name: TableName): string {
  return name.schema === null ? name.table : `${name.schema}.${name.table}`;
}

/** The text of a token as it stands. */
export function tokenText(bytes: Buffer, token: Token): string {
  return bytes.toString('utf8', token.start, token.end);
}

/** The name a word or a quoted name denotes; null for other tokens. Only ASCII letters are folded, as in UTF-8 databases. */
export function nameOf(bytes: Buffer, token: Token): string | null {
  const text = tokenText(bytes, token);
  if (token.kind === 'word') return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (token.kind === 'quoted-name') return text.slice(1, -1).replaceAll('""', '"');
  return null;
}

const quote = 0x27;
const backslash = 0x5c;

/**
 * The bytes a string literal denotes; null for other tokens. *Cost*: no copy for a string without escapes; the result
 * then shares memory with `bytes`.
 */
export function literalBytes(bytes: Buffer, token: Token): Buffer | null {
  switch (token.kind) {
    case 'string':
      return undoubled(bytes.subarray(token.start + 1, token.end - 1));
    case 'escape-string':
      return unescaped(bytes.subarray(bytes.indexOf(quote, token.start) + 1, token.end - 1));
    case 'dollar-string': {
      const tagLength = bytes.indexOf('$', token.start + 1) + 1 - token.start;
      return bytes.subarray(token.start + tagLength, token.end - tagLength);
    }
    default:
      return null;
  }
}

function undoubled(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  for (let at = body.indexOf(quote); at >= 0; at = body.indexOf(quote, at + 2)) {
    parts.push(body.subarray(kept, at + 1));
    kept = at + 2;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, body.subarray(kept)]);
}

/** The escapes of `E'…'` that stand for a control character. */
const controls: ReadonlyMap<string, number> = new Map([
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
]);

/** Octal and hex escapes give bytes, `\u` and `\U` a character; anything else stands for itself. */
function unescaped(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === quote) {
      parts.push(body.subarray(kept, at + 1));
      at += 1;
      kept = at + 1;
    } else if (body[at] === backslash) {
      parts.push(body.subarray(kept, at));
      const escape = escapeAt.exec(body.toString('latin1', at + 1, at + 10))?.[0] ?? '';
      parts.push(escaped(escape, body, at + 1));
      at += Math.max(1, escape.length);
      kept = at + 1;
    }
  }
  return Buffer.concat([...parts, body.subarray(kept)]);
}

const escapeAt = /^(?:[0-7]{1,3}|x[0-9a-f]{1,2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[bfnrt])/i;

function escaped(escape: string, body: Buffer, at: number): Buffer {
  const first = escape.charAt(0);
  if (escape === '') return body.subarray(at, at + 1);
  if (first === 'x' && escape.length > 1) return Buffer.of(Number.parseInt(escape.slice(1), 16));
  if ((first === 'u' || first === 'U') && escape.length > 1) {
    const point = Number.parseInt(escape.slice(1), 16);
    return Buffer.from(point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD');
  }
  const control = controls.get(escape);
  return Buffer.of(
    control ?? (/^[0-7]/.test(escape) ? Number.parseInt(escape, 8) & 0xff : first.charCodeAt(0)),
  );
}
