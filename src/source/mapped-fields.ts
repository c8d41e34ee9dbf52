/**
 * The fields of one record, read by a mapping. Easy to get wrong: an empty cell of CSV and a missing key of JSON both
 * mean "not said"; and a field that the operator mapped and no record has is a typing mistake, which would silently
 * weaken every join.
 */
import { OperatorError } from '../failure/operator-error.ts';
import { effectTimeMs, timeForms } from './effect-time.ts';
import { mapText, type FieldMap } from './field-map.ts';
import type { LogRecord } from './log-records.ts';

/** What records are called in messages. */
export interface RecordWords {
  /** What one record tells of, such as `effect`. */
  readonly what: string;
  /** The option that maps its fields. */
  readonly option: string;
}

/** The value a mapped key has in a record; undefined when the record lacks the field. */
export function mappedValue({ fields }: Pick<LogRecord, 'fields'>, field: string): unknown {
  if (fields.has(field)) return fields.get(field);
  const [first = '', ...inner] = field.split('.');
  let value: unknown = inner.length === 0 ? undefined : fields.get(first);
  for (const name of inner) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** Reads one record. Each *fails* with OperatorError that names place and field, and never quotes the value. */
export class MappedFields<Key extends string> {
  readonly #record: LogRecord;
  readonly #map: FieldMap<Key>;
  readonly #words: RecordWords;

  constructor(record: LogRecord, map: FieldMap<Key>, words: RecordWords) {
    this.#record = record;
    this.#map = map;
    this.#words = words;
  }

  /** Whether the mapping says where the key stands. */
  names(key: Key): boolean {
    return this.#map.has(key);
  }

  /** Whether the field is there and says nothing: an empty text, or an empty cell of CSV. */
  isBlank(key: Key): boolean {
    const value = this.#value(key);
    return value === '' || (value === null && this.#record.form === 'csv');
  }

  /** Text; numbers as their decimal text, since process ids and booking ids are often written so. */
  text(key: Key): string | null {
    const value = this.#value(key);
    if (value === null || value === '') return null;
    return this.#asText(key, value);
  }

  /** The same of a field that every record must have; an empty text is one where it is `given`. */
  needed(key: Key, given: 'empty or not' | 'not empty'): string {
    const value = this.#value(key);
    if (value === null || (value === '' && given === 'not empty')) {
      throw this.#misfit(key, `the ${key} of every record`);
    }
    return this.#asText(key, value);
  }

  number(key: Key): number | null {
    const value = this.#value(key);
    if (value === null || value === '') return null;
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw this.#misfit(key, 'a number');
  }

  /** Unix milliseconds. */
  time(key: Key): number | null {
    const value = this.#value(key);
    if (value === null || value === '') return null;
    const ms = typeof value === 'string' || typeof value === 'number' ? effectTimeMs(value) : null;
    if (ms === null) throw this.#misfit(key, timeForms);
    return ms;
  }

  #asText(key: Key, value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    throw this.#misfit(key, 'text or a number');
  }

  /** Null for a field that is absent, null, or not mapped. */
  #value(key: Key): unknown {
    const field = this.#map.get(key);
    return field === undefined ? null : (mappedValue(this.#record, field) ?? null);
  }

  #misfit(key: Key, expected: string): OperatorError {
    const field = this.#map.get(key) ?? key;
    const { what, option } = this.#words;
    return new OperatorError({
      happened: `the field ${field} does not decode as the ${what}'s ${key}`,
      place: this.#record.place,
      expected,
      remedy: `Correct the record or leave it out, or map another field with ${option}.`,
    });
  }
}

/** *Fails* with OperatorError when one of `keys` is mapped to a field of `missing`. */
export function requireFields<Key extends string>(
  place: string,
  option: string,
  map: FieldMap<Key>,
  missing: ReadonlySet<string>,
  fields: ReadonlySet<string>,
  keys: readonly Key[],
): void {
  for (const [key, field] of map) {
    if (!keys.includes(key) || !missing.has(field)) continue;
    throw new OperatorError({
      happened: `no record has the field ${field}, which ${option} names as the ${key}`,
      place,
      expected: `one of ${fieldList(fields)}`,
      remedy: `Correct the mapping (${mapText(map)}).`,
    });
  }
}

/** The names of fields for a message; long lists are cut and counted. */
export function fieldList(fields: ReadonlySet<string>): string {
  const shown = [...fields].slice(0, 40);
  return shown.length < fields.size
    ? `${shown.join(', ')} and ${fields.size - shown.length} more`
    : shown.join(', ');
}
