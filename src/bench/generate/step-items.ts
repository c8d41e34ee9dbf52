/**
 * A node's name as an item of a serialized list. Easy to get wrong: in JSON all items but the first bring a comma.
 */
import type { Language } from './moments.ts';
import { hex, packedText } from './stored-values.ts';

const known = new Map<string, string>();

/** Hexadecimal text of the item that follows `count` others. */
export function stepItem(language: Language, name: string, count: number): string {
  const key = language === 'python' ? `p${name}` : count === 0 ? `f${name}` : `j${name}`;
  let item = known.get(key);
  if (item === undefined) {
    item = language === 'python' ? packedText(name) : hex(`${count === 0 ? '' : ','}"${name}"`);
    known.set(key, item);
  }
  return item;
}
