/**
 * Bytes as numbered lines of text. Easy to get wrong: Node's readline also ends a line at U+2028 and at a lone carriage
 * return, which JSON leaves unescaped inside strings, so a thread id could tear its own line in two.
 */
import { isUtf8 } from 'node:buffer';
import { OperatorError } from '../failure/operator-error.ts';
import { asBuffer, type ByteStream } from '../dump/byte-stream.ts';

/** One line without its line break. */
export interface TextLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** False for a last line that no line feed ends: its writer may not have finished it. */
  readonly isEnded: boolean;
}

const lineFeed = 0x0a;

/** Splits at line feeds; blank lines are left out. *Fails* with OperatorError for bytes that are no UTF-8. */
export async function* textLines(bytes: ByteStream, source: string): AsyncGenerator<TextLine> {
  const rest: Buffer[] = [];
  let number = 0;
  const lineOf = (parts: readonly Buffer[], isEnded: boolean): TextLine | null => {
    number += 1;
    const text = decoded(parts, isEnded, `${source}, line ${number}`);
    return text.trim() === '' ? null : { text, number, isEnded };
  };
  for await (const chunk of bytes) {
    const buffer = asBuffer(chunk);
    let at = 0;
    for (let end = buffer.indexOf(lineFeed); end >= 0; end = buffer.indexOf(lineFeed, at)) {
      const line = lineOf([...rest, buffer.subarray(at, end)], true);
      rest.length = 0;
      if (line !== null) yield line;
      at = end + 1;
    }
    if (at < buffer.length) rest.push(buffer.subarray(at));
  }
  const last = rest.length === 0 ? null : lineOf(rest, false);
  if (last !== null) yield last;
}

/** A writer that was killed may leave half a character at the very end. */
function decoded(parts: readonly Buffer[], isEnded: boolean, place: string): string {
  const [only] = parts;
  const line = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  for (let cut = 0; cut <= (isEnded ? 0 : 3); cut += 1) {
    const whole = line.subarray(0, line.length - cut);
    if (isUtf8(whole)) return whole.toString('utf8').replace(/\r$/, '');
  }
  throw new OperatorError({ happened: 'the line is not UTF-8', place, remedy: 'Export the file as UTF-8.' });
}
