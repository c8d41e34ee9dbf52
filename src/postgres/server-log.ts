/**
 * What did the server last say? The end of its log, for errors and for telling why it did not start.
 */
import { open } from 'node:fs/promises';

/** Enough for some 20 lines of any length that Postgres writes at start-up. */
const tailBytes = 8_192;

/** The last lines of a log file; empty when it cannot be read. Cost: reads at most 8 KiB. */
export async function logTail(file: string, maxLines = 12): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(tailBytes), position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    return lines.slice(-maxLines).join('\n');
  } finally {
    await handle.close();
  }
}
