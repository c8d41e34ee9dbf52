/**
 * What does a stored value (tag and bytes of a blob or a write) hold? Reading never runs anything: objects come back
 * as names, pickles are not opened, ciphertext stays closed. Easy to get wrong: `empty` (the channel has no value)
 * differs from the value null, and both differ from a value that cannot be read.
 */
import type { StoredValue } from '../model/checkpoint.ts';
import type { Decoded } from './decoded.ts';
import { CorruptValue } from './grow-value.ts';
import { jsonValue } from './json-values.ts';
import { msgpackValue } from './msgpack-values.ts';

/** Why a value cannot be read. `type` is the serialization tag as stored. */
export type Unreadable =
  | { readonly reason: 'encrypted'; readonly type: string; readonly cipher: string }
  | { readonly reason: 'pickle'; readonly type: string }
  | { readonly reason: 'unknown-type'; readonly type: string | null }
  | { readonly reason: 'omitted'; readonly type: string }
  | { readonly reason: 'corrupt'; readonly type: string; readonly because: string };

/** A value, the absence of one, or the reason why it cannot be known. */
export type DecodedValue =
  | { readonly kind: 'value'; readonly value: Decoded }
  | { readonly kind: 'empty' }
  | ({ readonly kind: 'unreadable' } & Unreadable);

/**
 * Reads a stored value by its tag. Never throws: what the bytes cannot mean is `corrupt`. *Cost*: linear in the bytes;
 * byte arrays in the result share memory with `stored.bytes`. *Source*: `loads_typed` of langgraph-checkpoint 4.2.0
 * and `loadsTyped` of @langchain/langgraph-checkpoint 1.2.2.
 */
export function decodeStored(stored: StoredValue): DecodedValue {
  const { type, bytes } = stored;
  if (type === null) return { kind: 'unreadable', reason: 'unknown-type', type };
  if (type === 'empty') return { kind: 'empty' };
  if (type === 'null') return { kind: 'value', value: null };
  if (type === 'pickle') return { kind: 'unreadable', reason: 'pickle', type };
  const plus = type.indexOf('+');
  if (plus >= 0) return { kind: 'unreadable', reason: 'encrypted', type, cipher: type.slice(plus + 1) };
  if (!isReadable(type)) return { kind: 'unreadable', reason: 'unknown-type', type };
  if (bytes === null) {
    if (stored.omitted === true) return { kind: 'unreadable', reason: 'omitted', type };
    return { kind: 'unreadable', reason: 'corrupt', type, because: 'the bytes are NULL' };
  }
  try {
    return { kind: 'value', value: readers[type](bytes) };
  } catch (error) {
    if (!(error instanceof CorruptValue)) throw error;
    return { kind: 'unreadable', reason: 'corrupt', type, because: error.message };
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const readers = {
  json: (bytes: Uint8Array): Decoded => jsonValue(utf8Text(bytes)),
  msgpack: msgpackValue,
  bytes: (bytes: Uint8Array): Decoded => bytes,
  bytearray: (bytes: Uint8Array): Decoded => bytes,
};

function isReadable(type: string): type is keyof typeof readers {
  return Object.hasOwn(readers, type);
}

function utf8Text(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new CorruptValue('the text is not UTF-8');
  }
}

/** One clause for a report: why the value is not known. Holds nothing of the value itself. */
export function describeUnreadable(value: Unreadable): string {
  switch (value.reason) {
    case 'encrypted':
      return `it is encrypted (${value.type})`;
    case 'pickle':
      return 'it is a Python pickle, which is never opened';
    case 'unknown-type':
      return value.type === null ? 'it carries no serialization tag' : `its tag ${value.type} is unknown`;
    case 'omitted':
      return 'its bytes were not read';
    case 'corrupt':
      return `its bytes are no ${value.type}: ${value.because}`;
  }
}
