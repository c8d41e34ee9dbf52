/**
 * Which field of a record says what: `thread=session_id,node=tool`, as the operator writes it. Easy to get wrong: an
 * option may be given several times, each with several pairs, and two pairs for one key contradict each other.
 */
import { invariant } from '#analysis/model/bug.ts';

/** Key → field. A field is a column of CSV or a table, or a key of a line's object; `a.b` also looks inside objects. */
export type FieldMap<Key extends string> = ReadonlyMap<Key, string>;

/** Reads `key=field,key=field`. *Fails* with RangeError whose message says what to write. */
export function parseFieldMap<Key extends string>(
  option: string,
  keys: readonly Key[],
  texts: readonly string[],
): FieldMap<Key> {
  const map = new Map<Key, string>();
  for (const pair of texts.flatMap((text) => text.split(','))) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    const key = keys.find((known) => known === pair.slice(0, Math.max(equals, 0)).trim());
    const field = pair.slice(equals + 1).trim();
    if (key === undefined || field === '') {
      throw new RangeError(
        `${option}: ${JSON.stringify(pair.trim())} is no key=field; the keys are ${keys.join(', ')}.`,
      );
    }
    if (map.has(key)) throw new RangeError(`${option} names the key ${key} twice.`);
    map.set(key, field);
  }
  return map;
}

/** `thread=session_id, node=tool`. */
export function mapText(map: FieldMap<string>): string {
  invariant(map.size > 0, 'a mapping names at least one field');
  return [...map].map(([key, field]) => `${key}=${field}`).join(', ');
}
