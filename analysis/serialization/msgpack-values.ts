/**
 * Values with the tag `msgpack`: Python's. Its serializer hides every object behind one of eight extension codes whose
 * payload is msgpack again: (module, name, arguments …). Here they become names and plain data; nothing is imported
 * or constructed. Easy to get wrong: extensions nest, so a payload stays raw until its turn comes and is not opened
 * inside the decoder's own call.
 */
import { type DecoderOptions, ExtData, decode } from '@msgpack/msgpack';
import { type Decoded, type DecodedKey, deltaSnapshotName } from './decoded.ts';
import { CorruptValue, growValue, type Opened } from './grow-value.ts';
import { msgpackFault } from './msgpack-shape.ts';

/**
 * Reads one msgpack value. *Fails* with CorruptValue when the bytes, or those of an extension inside, are not exactly
 * one well-formed value. *Cost*: linear; memory is bounded by the bytes, whatever lengths they claim.
 * *Source*: the codes as `serde/jsonplus.py` of langgraph-checkpoint 4.2.0 writes them.
 */
export function msgpackValue(bytes: Uint8Array): Decoded {
  const keys = new KeyStore();
  const options = { ...decoderOptions, mapKeyConverter: keys.put };
  const read = (part: Uint8Array): unknown => {
    const fault = msgpackFault(part);
    if (fault !== null) throw new CorruptValue(fault);
    return decode(part, options);
  };
  return growValue(read(bytes), (raw) => open(raw, keys, read));
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text keys get a leading dot: the decoder builds plain objects and refuses a key named `__proto__`. */
const decoderOptions = {
  useBigInt64: true,
  extensionCodec: {
    tryToEncode: (): null => null,
    decode: (data: Uint8Array, code: number): ExtData => new ExtData(code, data),
  },
  keyDecoder: {
    canBeCached: (): boolean => true,
    decode: (bytes: Uint8Array, at: number, length: number): string =>
      `.${utf8.decode(bytes.subarray(at, at + length))}`,
  },
} satisfies DecoderOptions;

/** Keys that are no text, which the decoder cannot put on a plain object, kept under a number instead. */
class KeyStore {
  readonly #others: unknown[] = [];

  readonly put = (key: unknown): string => (typeof key === 'string' ? key : `#${this.#others.push(key) - 1}`);

  /** The key as it was before {@link put}. */
  get(stored: string): unknown {
    return stored.startsWith('.') ? stored.slice(1) : this.#others[Number(stored.slice(1))];
  }
}

function open(raw: unknown, keys: KeyStore, read: (part: Uint8Array) => unknown): Opened<unknown> {
  if (raw instanceof Uint8Array) return { kind: 'leaf', value: raw };
  if (Array.isArray(raw)) return { kind: 'list', items: raw };
  if (raw instanceof ExtData) return openExtension(raw.type, raw.data as Uint8Array, read);
  if (typeof raw === 'object' && raw !== null) return openMapping(raw, keys);
  return { kind: 'leaf', value: plain(raw) };
}

function plain(raw: unknown): DecodedKey {
  if (typeof raw === 'bigint') {
    const number = Number(raw);
    return Number.isSafeInteger(number) ? number : raw;
  }
  return raw as DecodedKey;
}

/** A dict whose keys include a tuple, bytes or an object becomes a list of pairs, in the writer's order. */
function openMapping(raw: object, keys: KeyStore): Opened<unknown> {
  const pairs = Object.entries(raw).map(([stored, value]): [unknown, unknown] => [keys.get(stored), value]);
  const isPlain = pairs.every(([key]) => typeof key !== 'object' || key === null);
  if (!isPlain) return { kind: 'constructed', module: 'msgpack', name: 'map', payload: pairs };
  return { kind: 'mapping', entries: pairs.map(([key, value]) => [plain(key), value] as const) };
}

const namedCodes = { oneArgument: 0, pydanticV2: 5 };
const numpyCode = 6;
const deltaSnapshotCode = 7;

function openExtension(code: number, data: Uint8Array, read: (part: Uint8Array) => unknown): Opened<unknown> {
  if (code < namedCodes.oneArgument || code > deltaSnapshotCode) {
    return { kind: 'constructed', module: 'msgpack', name: `extension ${code}`, payload: data };
  }
  const payload = read(data);
  if (code === deltaSnapshotCode) return { kind: 'constructed', ...deltaSnapshotName, payload };
  if (code === numpyCode) return { kind: 'constructed', module: 'numpy', name: 'ndarray', payload };
  const [module, name, argument] = Array.isArray(payload) ? (payload as readonly unknown[]) : [];
  if (typeof module !== 'string' || typeof name !== 'string' || argument === undefined) {
    throw new CorruptValue(`extension ${code} does not name its object`);
  }
  return { kind: 'constructed', module, name, payload: argument };
}
