/**
 * How a count rule is written. A node's name is anybody's text, so it is quoted unless it is a plain word, and
 * whatever could steer a terminal is escaped; what is written here reads back as the same rule.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';

/** A name that needs no quotes: a letter, `_` or `$`, then letters, digits and `_ $ . / @ -`. Sticky. */
export const plainName = /[\p{L}_$][\p{L}\p{M}\p{N}_$./@-]*/uy;

/** What a rule looks like, for error messages and help texts. */
export const ruleGrammar =
  'a rule compares two sums of node counts: plan>=charge, a+b>=c, n(a)<=3, plan>="odd + name"; ' +
  'a sum joins names, n(name) and whole numbers with +, and a name that is no plain word is a JSON string';

/** A node's name as a rule shows it: as it is when it is a plain word, else as a JSON string in printable characters. */
export function printName(name: NodeName): string {
  plainName.lastIndex = 0;
  if (plainName.exec(name)?.[0] === name) return name;
  // Format and unassigned characters pass JSON unescaped and can reorder or hide the rest of a line.
  return JSON.stringify(name).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * A rule in the grammar that {@link ruleGrammar} sums up; the parser gives the same rule back.
 * Fails: a bug on a rule that names no node.
 */
export function printRule({ left, right, constant }: Omit<CountRule, 'text'>): string {
  invariant(left.length + right.length > 0, 'a count rule names at least one node');
  if (left.length === 0) {
    return constant > 0 ? `${sum(right, constant)} <= 0` : `${countSum(right)} <= ${-constant}`;
  }
  if (right.length === 0 && constant >= 0) return `${countSum(left)} >= ${constant}`;
  return `${sum(left, Math.max(-constant, 0))} >= ${right.length === 0 ? '0' : sum(right, Math.max(constant, 0))}`;
}

function sum(names: readonly NodeName[], constant: number): string {
  const terms = names.map(printName);
  return (constant === 0 ? terms : [...terms, String(constant)]).join(' + ');
}

function countSum(names: readonly NodeName[]): string {
  return names.map((name) => `n(${printName(name)})`).join(' + ');
}
