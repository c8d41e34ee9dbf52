/**
 * What does a rule that somebody typed say? Whole numbers may stand anywhere in a sum: `n(a) <= 3` is
 * `0 >= n(a) - 3`, so its constant is -3. A rule that cannot be read is an answer with a place, not an exception.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import { plainName, printName, printRule, ruleGrammar } from './rule-text.ts';

/** The rule, or why the text is none. */
export type ParsedRule =
  | { readonly kind: 'rule'; readonly rule: CountRule }
  | {
      readonly kind: 'syntax-error';
      /** Offset in UTF-16 code units of the first character that does not fit. */
      readonly position: number;
      /** What was expected where, what stood there instead, and the grammar. Printable, without a final full stop. */
      readonly message: string;
    };

type Token =
  | { readonly kind: 'name'; readonly name: NodeName; readonly quoted: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: '>=' | '<=' | '+' | '(' | ')' | 'end' };

interface Sum {
  readonly names: readonly NodeName[];
  readonly constant: number;
}

/** Why a rule cannot be read; thrown and caught in this file only. */
class Misfit extends Error {
  readonly expected: string;
  readonly position: number;

  constructor(expected: string, position: number) {
    super(expected);
    this.expected = expected;
    this.position = position;
  }
}

/** Reads one rule. Cost: linear in the text. Never throws for any text. */
export function parseRule(text: string): ParsedRule {
  const reader = new RuleReader(text);
  try {
    return { kind: 'rule', rule: readRule(reader) };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const [character] = text.slice(error.position, error.position + 2);
    const found = character === undefined ? 'the end' : printName(character as NodeName);
    return {
      kind: 'syntax-error',
      position: error.position,
      message: `expected ${error.expected} at character ${error.position + 1} of the rule, found ${found}; ${ruleGrammar}`,
    };
  }
}

function readRule(reader: RuleReader): CountRule {
  const first = readSum(reader);
  const comparison = reader.next();
  if (comparison.kind !== '>=' && comparison.kind !== '<=') throw reader.misfit('+, >= or <=');
  const second = readSum(reader);
  if (reader.next().kind !== 'end') throw reader.misfit('+ or the end');
  const [greater, lesser] = comparison.kind === '>=' ? [first, second] : [second, first];
  if (first.names.length + second.names.length === 0) throw new Misfit('a rule that names a node', 0);
  const rule = { left: greater.names, right: lesser.names, constant: lesser.constant - greater.constant };
  return { ...rule, text: printRule(rule) };
}

function readSum(reader: RuleReader): Sum {
  const names: NodeName[] = [];
  let constant = 0;
  do {
    const term = reader.next();
    if (term.kind === 'number') {
      constant += term.value;
      if (!Number.isSafeInteger(constant)) throw reader.misfit('a whole number below 2^53');
    } else if (term.kind === 'name') {
      names.push(term.name === 'n' && !term.quoted && reader.skip('(') ? readCounted(reader) : term.name);
    } else {
      throw reader.misfit('a node name or a whole number');
    }
  } while (reader.skip('+'));
  return { names, constant };
}

function readCounted(reader: RuleReader): NodeName {
  const counted = reader.next();
  if (counted.kind !== 'name') throw reader.misfit('a node name');
  if (reader.next().kind !== ')') throw reader.misfit(')');
  return counted.name;
}

const space = /\s*/uy;
const symbol = />=|<=|[+()]/y;
const wholeNumber = /\d+/y;
const quotedName = /"(?:[^"\\]|\\.)*"/suy;

/** Splits the text into tokens, one at a time. */
class RuleReader {
  readonly #text: string;
  #tokenStart = 0;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token, which is consumed. Throws a {@link Misfit} where none begins. */
  next(): Token {
    this.#take(space);
    this.#tokenStart = this.#position;
    if (this.#position === this.#text.length) return { kind: 'end' };
    const found = this.#take(symbol);
    if (found !== null) return { kind: found as '>=' | '<=' | '+' | '(' | ')' };
    const digits = this.#take(wholeNumber);
    if (digits !== null) return { kind: 'number', value: Number(digits) };
    const plain = this.#take(plainName);
    if (plain !== null) return { kind: 'name', name: plain as NodeName, quoted: false };
    const quoted = this.#take(quotedName);
    if (quoted === null) throw this.misfit('a node name, a whole number, +, >= or <=');
    return { kind: 'name', name: this.#unquote(quoted), quoted: true };
  }

  /** Consumes the next token if it is `kind`, and says whether it was. */
  skip(kind: '+' | '('): boolean {
    const before = this.#position;
    this.#take(space);
    if (this.#text[this.#position] === kind) {
      this.#position += 1;
      return true;
    }
    this.#position = before;
    return false;
  }

  /** The complaint that the token read last is not what was expected. */
  misfit(expected: string): Misfit {
    return new Misfit(expected, this.#tokenStart);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#position = pattern.lastIndex;
    return match[0];
  }

  #unquote(quoted: string): NodeName {
    // A raw tab or newline between quotes is meant as itself, though JSON wants it escaped.
    const json = quoted.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
    try {
      return JSON.parse(json) as NodeName;
    } catch {
      throw this.misfit('a name with JSON escapes');
    }
  }
}
