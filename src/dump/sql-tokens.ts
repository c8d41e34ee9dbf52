/**
 * SQL text cut into tokens, as PostgreSQL's own scanner cuts it, so that a semicolon or a COPY inside a string, a
 * quoted name, a comment or a function body is not taken for one outside. Easy to get wrong: bytes arrive in chunks,
 * so "the text ends here" and "more is to come" are different answers.
 * *Source*: PostgreSQL 15 manual, "Lexical Structure".
 */

/** `escape-string` is `E'…'`, or any string while standard_conforming_strings is off. */
export type TokenKind =
  'word' | 'quoted-name' | 'string' | 'escape-string' | 'dollar-string' | 'number' | 'mark';

/** One token: the bytes [start, end). A `mark` is one byte of punctuation. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** How the text is to be read. */
export interface SqlDialect {
  /** False: backslashes escape in every string (`SET standard_conforming_strings = off`). */
  readonly standardStrings: boolean;
}

/** `more`: the bytes end before one can tell where the token ends. */
export type Scan<Found> = Found | 'more';

const code = (character: string): number => character.charCodeAt(0);
const quote = code("'");
const doubleQuote = code('"');
const backslash = code('\\');
const dollar = code('$');
const dash = code('-');
const slash = code('/');
const star = code('*');
const lineFeed = 0x0a;

/**
 * The first token at or after `at`, blanks and comments skipped; null when only those are left.
 * `isWhole` says that no bytes follow, so that a word or number may end where the bytes do.
 */
export function nextToken(
  bytes: Buffer,
  at: number,
  dialect: SqlDialect,
  isWhole: boolean,
): Scan<Token | null> {
  const start = skipBlank(bytes, at, isWhole);
  if (start === 'more') return 'more';
  const byte = bytes[start];
  if (byte === undefined) return isWhole ? null : 'more';
  if (byte === quote) return stringToken(bytes, start, start, !dialect.standardStrings);
  if (byte === doubleQuote) return quotedEnd(bytes, start, start + 1, 'quoted-name', doubleQuote);
  if (byte === dollar) return dollarToken(bytes, start, isWhole);
  if (isDigit(byte))
    return runOf(bytes, start, 'number', (next) => isWordByte(next) || next === code('.'), isWhole);
  if (!isWordStart(byte)) return { kind: 'mark', start, end: start + 1 };
  if (bytes.length === start + 1 && !isWhole) return 'more';
  if ((byte | 0x20) === code('e') && bytes[start + 1] === quote)
    return stringToken(bytes, start, start + 1, true);
  return runOf(bytes, start, 'word', isWordByte, isWhole);
}

/** Skips blanks, `--` comments and nested block comments. */
export function skipBlank(bytes: Buffer, at: number, isWhole: boolean): Scan<number> {
  for (;;) {
    while (isSpace(bytes[at])) at += 1;
    const isLast = at + 1 >= bytes.length;
    if (bytes[at] === dash || bytes[at] === slash) {
      if (isLast) return isWhole ? at : 'more';
    } else return at;
    if (bytes[at] === dash && bytes[at + 1] === dash) {
      const end = bytes.indexOf(lineFeed, at);
      if (end < 0) return isWhole ? bytes.length : 'more';
      at = end + 1;
    } else if (bytes[at] === slash && bytes[at + 1] === star) {
      const end = blockCommentEnd(bytes, at);
      if (end < 0) return isWhole ? bytes.length : 'more';
      at = end;
    } else return at;
  }
}

/** The offset behind the block comment that starts at `start`; -1 when it is not closed. Comments nest. */
export function blockCommentEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] === slash && bytes[at + 1] === star) depth += 1;
    else if (bytes[at] === star && bytes[at + 1] === slash) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

function stringToken(bytes: Buffer, start: number, open: number, escapes: boolean): Scan<Token> {
  if (!escapes) return quotedEnd(bytes, start, open + 1, 'string', quote);
  for (let at = open + 1; at + 1 < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) {
      if (bytes[at + 1] !== quote) return { kind: 'escape-string', start, end: at + 1 };
      at += 1;
    }
  }
  return 'more';
}

/** The end of a token closed by `closing`, which stands for itself when doubled. */
function quotedEnd(
  bytes: Buffer,
  start: number,
  from: number,
  kind: TokenKind,
  closing: number,
): Scan<Token> {
  for (let at = bytes.indexOf(closing, from); at >= 0; at = bytes.indexOf(closing, at + 2)) {
    if (at + 1 === bytes.length) return 'more';
    if (bytes[at + 1] !== closing) return { kind, start, end: at + 1 };
  }
  return 'more';
}

/** `$tag$ … $tag$`, or the mark `$` (as in `$1`) when no tag follows. */
function dollarToken(bytes: Buffer, start: number, isWhole: boolean): Scan<Token> {
  let tagEnd = start + 1;
  while (isWordByte(bytes[tagEnd]) && bytes[tagEnd] !== dollar) tagEnd += 1;
  if (bytes[tagEnd] === undefined && !isWhole) return 'more';
  if (bytes[tagEnd] !== dollar || isDigit(bytes[start + 1])) return { kind: 'mark', start, end: start + 1 };
  const tag = bytes.subarray(start, tagEnd + 1);
  const close = bytes.indexOf(tag, tagEnd + 1);
  return close < 0 ? 'more' : { kind: 'dollar-string', start, end: close + tag.length };
}

function runOf(
  bytes: Buffer,
  start: number,
  kind: TokenKind,
  belongs: (byte: number | undefined) => boolean,
  isWhole: boolean,
): Scan<Token> {
  let end = start + 1;
  while (belongs(bytes[end])) end += 1;
  return end === bytes.length && !isWhole ? 'more' : { kind, start, end };
}

/** Blanks of SQL: space, tab, line feed, vertical tab, form feed, carriage return. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isWordStart(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === 0x5f || byte >= 0x80;
}

function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && (isWordStart(byte) || isDigit(byte) || byte === dollar);
}
