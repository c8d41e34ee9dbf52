/**
 * The rows of an INSERT. pg_dump writes every value as a literal: a string, NULL, a number, true or false, sometimes
 * with a cast. Easy to get wrong: a number may carry a sign and so be two tokens; and anything computed is not a value
 * a dump can hold, so it is refused, not guessed.
 */
import { literalBytes, nameOf, tokenText } from './sql-literal.ts';
import type { TokenReader } from './statements.ts';

/** Thrown for a value list that is not made of literals; `at` is its offset in the statement. */
export class NotALiteral extends Error {
  override readonly name = 'NotALiteral';
  readonly at: number;
  constructor(at: number, found: string) {
    super(`${found} is not a literal`);
    this.at = at;
  }
}

/**
 * Each row's values in Postgres' text form, null for NULL. `reader` stands at the first parenthesis. Buffers may
 * share memory with the statement. *Fails* with {@link NotALiteral}.
 */
export function* insertRows(reader: TokenReader): Generator<readonly (Buffer | null)[]> {
  while (reader.acceptMark('(')) {
    const values: (Buffer | null)[] = [];
    do values.push(value(reader));
    while (reader.acceptMark(','));
    if (!reader.acceptMark(')')) throw notALiteral(reader);
    yield values;
    if (!reader.acceptMark(',')) return;
  }
}

function notALiteral(reader: TokenReader): NotALiteral {
  const token = reader.peek();
  const text = token === null ? 'the end' : tokenText(reader.bytes, token);
  return new NotALiteral(
    token?.start ?? reader.bytes.length,
    text.length > 40 ? `${text.slice(0, 40)}…` : text,
  );
}

function value(reader: TokenReader): Buffer | null {
  const token = reader.peek();
  if (token === null) throw notALiteral(reader);
  const literal = literalBytes(reader.bytes, token);
  let result: Buffer | null;
  if (literal !== null) {
    reader.next();
    result = literal;
  } else if (reader.accept('null')) result = null;
  else if (reader.accept('true')) result = Buffer.from('t');
  else if (reader.accept('false')) result = Buffer.from('f');
  else result = number(reader);
  while (reader.acceptMark(':')) cast(reader);
  return result;
}

/** A sign, digits, and an exponent with a sign of its own (`1e+20` is three tokens). */
function number(reader: TokenReader): Buffer {
  const start = reader.peek()?.start ?? 0;
  for (;;) {
    if (!reader.acceptMark('-')) reader.acceptMark('+');
    const digits = reader.peek();
    if (digits?.kind !== 'number') throw notALiteral(reader);
    reader.next();
    if (!/[eE]$/.test(tokenText(reader.bytes, digits))) return reader.bytes.subarray(start, digits.end);
  }
}

/** The rest of `::type`, with schema, length, array marks and `with time zone`. */
function cast(reader: TokenReader): void {
  reader.acceptMark(':');
  for (;;) {
    const token = reader.peek();
    if (token === null || nameOf(reader.bytes, token) === null) return;
    reader.next();
    reader.acceptMark('.');
    if (reader.acceptMark('(')) while (reader.next() !== null && !reader.acceptMark(')'));
    while (reader.acceptMark('[')) while (!reader.acceptMark(']') && reader.next() !== null);
  }
}
