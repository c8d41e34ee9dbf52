/** Count rules on one line where they chain: `plan >= charge >= notify >= finish`. */
import type { CountRule } from '#analysis/model/invariant.ts';
import { printable } from './printable.ts';

/** One line per chain; rules that are no simple comparison of two nodes keep their own text. */
export function rulesText(rules: readonly CountRule[]): readonly string[] {
  const lines: string[] = [];
  const chains: string[][] = [];
  for (const { left, right, constant, text } of rules) {
    const [greater] = left;
    const [less] = right;
    if (
      left.length !== 1 ||
      right.length !== 1 ||
      constant !== 0 ||
      greater === undefined ||
      less === undefined
    ) {
      lines.push(printable(text));
      continue;
    }
    const chain = chains.find((names) => names.at(-1) === greater);
    if (chain === undefined) chains.push([greater, less]);
    else chain.push(less);
  }
  return [...chains.map((names) => names.map((name) => printable(name)).join(' >= ')), ...lines];
}
