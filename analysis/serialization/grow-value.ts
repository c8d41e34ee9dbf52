/**
 * Builds a decoded value from a serialization's raw one without recursion: what a writer nested a thousand levels
 * deep, or an attacker a million, must not overflow the stack. Easy to get wrong: a mapping's keys are placed before
 * its values are known, so that their order stays the writer's although the work is last-in first-out.
 */
import type { Decoded, DecodedKey } from './decoded.ts';

/** How one raw node opens: to a finished value, or to raw children. */
export type Opened<Raw> =
  | { readonly kind: 'leaf'; readonly value: Decoded }
  | { readonly kind: 'list'; readonly items: readonly Raw[] }
  | { readonly kind: 'mapping'; readonly entries: readonly (readonly [DecodedKey, Raw])[] }
  | { readonly kind: 'constructed'; readonly module: string; readonly name: string; readonly payload: Raw };

/** Bytes that no writer of the named serialization can have made. Its message says what is wrong, without the bytes. */
export class CorruptValue extends Error {
  override readonly name = 'CorruptValue';
}

/**
 * Nesting beyond this is called corrupt. Neither writer gets there: ormsgpack refuses 1,024 levels, and Node 20's
 * `JSON.stringify` overflows its own stack before ten thousand.
 */
export const deepestNesting = 10_000;

/**
 * Opens `root` and everything below it. *Cost*: linear in the number of nodes; the stack holds at most as many
 * entries as there are siblings waiting. *Fails* with {@link CorruptValue} beyond {@link deepestNesting}, and with
 * whatever `open` throws.
 */
export function growValue<Raw>(root: Raw, open: (raw: Raw) => Opened<Raw>): Decoded {
  interface Pending {
    readonly raw: Raw;
    readonly depth: number;
    readonly place: (value: Decoded) => void;
  }
  let result: Decoded = null;
  const pending: Pending[] = [{ raw: root, depth: 0, place: (value) => (result = value) }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { depth, place } = next;
    if (depth > deepestNesting) throw new CorruptValue(`nested deeper than ${deepestNesting} levels`);
    const opened = open(next.raw);
    if (opened.kind === 'leaf') place(opened.value);
    else if (opened.kind === 'list') {
      const list: Decoded[] = opened.items.map(() => null);
      place(list);
      opened.items.forEach((raw, index) => {
        pending.push({ raw, depth: depth + 1, place: (value) => (list[index] = value) });
      });
    } else if (opened.kind === 'mapping') {
      const mapping = new Map<DecodedKey, Decoded>();
      for (const [key] of opened.entries) mapping.set(key, null);
      place(mapping);
      for (const [key, raw] of opened.entries) {
        pending.push({ raw, depth: depth + 1, place: (value) => mapping.set(key, value) });
      }
    } else {
      const constructed = { module: opened.module, name: opened.name, payload: null as Decoded };
      place(constructed);
      const payloadPlace = (value: Decoded): void => void (constructed.payload = value);
      pending.push({ raw: opened.payload, depth: depth + 1, place: payloadPlace });
    }
  }
  return result;
}
