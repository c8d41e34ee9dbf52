/**
 * Streams of bytes that can be looked at before they are read. Easy to get wrong: whoever stops reading early must
 * close what is behind the stream, or a file stays open and a child process alive.
 */

/** Bytes in chunks of any size. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** The first bytes of a stream, and the whole stream including them. */
export interface Peeked {
  /** At least as many bytes as asked for, unless the stream is shorter. */
  readonly head: Buffer;
  /** To be read once, or given up by `close`. */
  readonly stream: ByteStream;
  /** Closes what is behind the stream; harmless after it was read. */
  readonly close: () => Promise<void>;
}

/** Reads until `atLeast` bytes are there. */
export async function peek(source: ByteStream, atLeast: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < atLeast) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(asBuffer(next.value));
    length += next.value.length;
  }
  const head = Buffer.concat(chunks);
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };
  return { head, stream: rejoined(head, iterator), close };
}

async function* rejoined(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The same bytes in pieces of exactly `size`, the last one shorter: what follows must not depend on who sent them. */
export async function* inPieces(bytes: ByteStream, size: number): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(size);
  let used = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + size - used);
      piece.set(part, used);
      at += part.length;
      used += part.length;
      if (used < size) continue;
      yield piece;
      piece = Buffer.allocUnsafe(size);
      used = 0;
    }
  }
  if (used > 0) yield piece.subarray(0, used);
}

/** The same bytes as a Buffer, not copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
