/**
 * Values with the tag `json`: JavaScript's always, Python's before msgpack. Both mark what JSON cannot say by records
 * with a key `lc`, here turned into names and plain data. Easy to get wrong: LangGraph leaves a marked record it does
 * not know as it is, so an unknown one is data, not corruption.
 */
import { type Constructed, type Decoded, deltaSnapshotName } from './decoded.ts';
import { CorruptValue, growValue, type Opened } from './grow-value.ts';

/** A value as `JSON.parse` gives it, before its keys are known. */
type RawJson = null | boolean | number | string | readonly RawJson[] | { readonly [key: string]: RawJson };

/**
 * Reads one JSON text. *Fails* with CorruptValue when it is none. Keys named `__proto__` are data, as everywhere.
 * *Source*: `serde/jsonplus.js` of @langchain/langgraph-checkpoint 1.2.2.
 */
export function jsonValue(text: string): Decoded {
  return growValue(parse(text), open);
}

function parse(text: string): RawJson {
  try {
    return JSON.parse(text) as RawJson;
  } catch {
    // The parser's own message quotes the text, which may be a customer's data.
    throw new CorruptValue('the text is no JSON');
  }
}

function open(raw: RawJson): Opened<RawJson> {
  if (raw === null || typeof raw !== 'object') return { kind: 'leaf', value: raw };
  if (isRawList(raw)) return { kind: 'list', items: raw };
  return marked(raw) ?? { kind: 'mapping', entries: Object.entries(raw) };
}

function isRawList(raw: RawJson): raw is readonly RawJson[] {
  return Array.isArray(raw);
}

/** `undefined` in JavaScript; JSON's null is another value. */
export const undefinedValue: Constructed = { module: '', name: 'undefined', payload: null };

function marked(raw: { readonly [key: string]: RawJson }): Opened<RawJson> | null {
  const mark = raw['lc'];
  if (mark === 2 && raw['type'] === 'undefined') return { kind: 'leaf', value: undefinedValue };
  if (mark === 2 && raw['type'] === 'delta_snapshot' && raw['value'] !== undefined) {
    return { kind: 'constructed', ...deltaSnapshotName, payload: raw['value'] };
  }
  if ((mark !== 1 && mark !== 2) || raw['type'] !== 'constructor') return null;
  const id = raw['id'];
  if (id === undefined || !isRawList(id) || !id.every((part) => typeof part === 'string')) return null;
  const name = id.at(-1);
  if (name === undefined) return null;
  return { kind: 'constructed', module: id.slice(0, -1).join('.'), name, payload: constructorPayload(raw) };
}

/** One argument stands for itself, as in msgpack's extension 0, so that both eras of Python decode alike. */
function constructorPayload(raw: { readonly [key: string]: RawJson }): RawJson {
  const args = raw['args'] ?? [];
  const named = raw['kwargs'] ?? {};
  const hasNamed = typeof named === 'object' && Object.keys(named).length > 0;
  if (!isRawList(args)) return { args, kwargs: named };
  if (args.length === 0) return named;
  if (hasNamed) return { args, kwargs: named };
  return args.length === 1 ? (args[0] ?? null) : args;
}
