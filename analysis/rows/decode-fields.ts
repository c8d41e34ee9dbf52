/**
 * Decoders of single JSON fields. Objects are read through `Object.entries`, which sees an own key `__proto__` that
 * `JSON.parse` made; assigning such a key to a plain object would lose it, so everything keyed by data becomes a Map.
 */
import type { Json } from '#analysis/model/checkpoint.ts';
import { DecodeError } from './decode-error.ts';

/** The row a field belongs to, for messages. */
export type RowName = string;

/** Entries of a JSON object. Fails with {@link DecodeError} for anything else. */
export function objectEntries(row: RowName, field: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DecodeError(row, field, 'an object', value);
  }
  return Object.entries(value);
}

/** A string. */
export function text(row: RowName, field: string, value: unknown): string {
  if (typeof value !== 'string') throw new DecodeError(row, field, 'a string', value);
  return value;
}

/** A string, or null. */
export function textOrNull(row: RowName, field: string, value: unknown): string | null {
  return value === null ? null : text(row, field, value);
}

/** A safe integer. */
export function integer(row: RowName, field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new DecodeError(row, field, 'an integer', value);
  }
  return value;
}

/** Whether a value is made of JSON parts only. Iterative: state may nest thousands of levels deep. */
export function isJson(value: unknown): value is Json {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next === 'string' || typeof next === 'boolean') continue;
    if (typeof next === 'number') {
      if (!Number.isFinite(next)) return false;
      continue;
    }
    if (typeof next !== 'object') return false;
    if (Array.isArray(next)) for (const item of next as unknown[]) open.push(item);
    else for (const item of Object.values(next)) open.push(item);
  }
  return true;
}

/** A JSON value. */
export function json(row: RowName, field: string, value: unknown): Json {
  if (!isJson(value)) throw new DecodeError(row, field, 'a JSON value', value);
  return value;
}
