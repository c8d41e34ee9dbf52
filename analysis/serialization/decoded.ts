/**
 * What a stored value looks like once its bytes are read: plain data, never a live object of the program that wrote
 * it. Easy to get wrong: mappings are Maps, because a state key may be named `__proto__` and a Python dict may have
 * keys that are no strings; only a `Constructed` is a plain object.
 */

/** A key of a mapping. JSON has text keys only; Python's dicts may have the others. */
export type DecodedKey = null | boolean | number | bigint | string;

/**
 * A value read from a blob or a write. Integers beyond 2^53 of msgpack are bigint, so that they stay exact; numbers
 * and bigints never denote the same integer, so `===` compares them rightly.
 */
export type Decoded =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Decoded[]
  | ReadonlyMap<DecodedKey, Decoded>
  | Constructed;

/**
 * An object of the writer's language, named and not constructed. `module` is dotted as the writer gave it, `''` for
 * what JavaScript has without an import (`Set`, `Error`, `undefined`); `payload` is what its constructor would get:
 * the single argument, the list of arguments, or the mapping of named ones.
 */
export interface Constructed {
  readonly module: string;
  readonly name: string;
  readonly payload: Decoded;
}

/** Tells a {@link Constructed} from every other decoded value. */
export function isConstructed(value: Decoded): value is Constructed {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Map) &&
    !(value instanceof Uint8Array)
  );
}

/** Tells a list; `Array.isArray` alone loses the element type of a read-only array. */
export function isList(value: Decoded): value is readonly Decoded[] {
  return Array.isArray(value);
}

/** Tells a mapping. */
export function isMapping(value: Decoded): value is ReadonlyMap<DecodedKey, Decoded> {
  return value instanceof Map;
}

/**
 * How both writers' snapshots of a delta channel decode (a tagged record in JS, extension 7 in Python): one name for
 * both, so that readers need not ask who wrote it.
 */
export const deltaSnapshotName = { module: 'langgraph', name: 'DeltaSnapshot' } as const;

/** The value inside a delta channel's snapshot as `{ value }`; null when `value` is no snapshot. */
export function deltaSnapshotOf(value: Decoded): { readonly value: Decoded } | null {
  if (!isConstructed(value)) return null;
  const { module, name } = deltaSnapshotName;
  return value.module === module && value.name === name ? { value: value.payload } : null;
}
