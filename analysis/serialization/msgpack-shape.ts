/**
 * Is a byte sequence exactly one well-formed msgpack value? Asked before decoding, because a decoder allocates what
 * a length field promises: five bytes can ask for four thousand million elements, and nesting multiplies that. Easy
 * to get wrong: no nesting need be tracked; every promised element costs at least one byte, so the number of elements
 * still owed may never exceed the number of bytes left.
 */

/** Bytes of the length or the scalar behind each head byte 0xc0 to 0xdf; -1 where msgpack defines none. */
const headLengths = [
  // nil, unused, false, true, bin 8/16/32, ext 8/16/32, float 32/64, uint 8/16/32/64
  0, -1, 0, 0, 1, 2, 4, 1, 2, 4, 4, 8, 1, 2, 4, 8,
  // int 8/16/32/64, fixext 1/2/4/8/16, str 8/16/32, array 16/32, map 16/32
  1, 2, 4, 8, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4,
];

/** What a head byte (with its length field) promises to follow. */
interface Promised {
  /** Bytes of payload: text, binary, an extension with its type byte, or a scalar. */
  readonly bytes: number;
  /** Further msgpack values. */
  readonly elements: number;
  readonly isText: boolean;
}

const nothing: Promised = { bytes: 0, elements: 0, isText: false };

/**
 * Says what keeps `bytes` from being one well-formed value (with the offset), or null. Extension payloads are opaque
 * here. *Cost*: one pass, constant memory. *Source*: the msgpack specification's table of formats.
 */
export function msgpackFault(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let owed = 1;
  while (owed > 0) {
    const head = bytes[at];
    if (head === undefined) return `the value is cut off at byte ${at}`;
    const lengthBytes = head >= 0xc0 && head < 0xe0 ? (headLengths[head - 0xc0] ?? -1) : 0;
    if (lengthBytes < 0) return `byte ${at} is no msgpack format`;
    if (at + 1 + lengthBytes > bytes.length) return `the value is cut off at byte ${bytes.length}`;
    const promised = promise(head, view, at + 1, lengthBytes);
    const start = at + 1 + (isScalar(head) ? 0 : lengthBytes);
    at = start + promised.bytes;
    owed += promised.elements - 1;
    if (at > bytes.length || owed > bytes.length - at) {
      return `byte ${start} promises more than the ${bytes.length} bytes there are`;
    }
    if (promised.isText && !isUtf8(bytes.subarray(start, at)))
      return `the text at byte ${start} is not UTF-8`;
  }
  return at === bytes.length ? null : `${bytes.length - at} bytes follow the value`;
}

function isScalar(head: number): boolean {
  return head >= 0xca && head <= 0xd3;
}

function promise(head: number, view: DataView, at: number, lengthBytes: number): Promised {
  if (head < 0x80 || head >= 0xe0) return nothing;
  if (head < 0x90) return { ...nothing, elements: 2 * (head - 0x80) };
  if (head < 0xa0) return { ...nothing, elements: head - 0x90 };
  if (head < 0xc0) return { ...nothing, bytes: head - 0xa0, isText: true };
  if (isScalar(head)) return { ...nothing, bytes: lengthBytes };
  if (head >= 0xd4 && head <= 0xd8) return { ...nothing, bytes: 1 + 2 ** (head - 0xd4) };
  const length =
    lengthBytes === 0
      ? 0
      : lengthBytes === 1
        ? view.getUint8(at)
        : lengthBytes === 2
          ? view.getUint16(at)
          : view.getUint32(at);
  if (head <= 0xc3) return nothing;
  if (head <= 0xc6) return { ...nothing, bytes: length };
  if (head <= 0xc9) return { ...nothing, bytes: length + 1 };
  if (head <= 0xdb) return { ...nothing, bytes: length, isText: true };
  return { ...nothing, elements: head <= 0xdd ? length : 2 * length };
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Pure ASCII, by far the most text, never reaches the decoder. */
function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.every((byte) => byte < 0x80)) return true;
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
