/**
 * Dumps for tests: read to the end, in a form in which order does not matter. Easy to get wrong: rows of equal keys do
 * not exist, so sorting by key makes any two readings of the same rows equal.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { DumpSource } from '../open-dump.ts';
import { readDump, type ReadDumpOptions } from '../read-dump.ts';

/** Path of a file in fixtures/. */
export function fixture(name: string): string {
  return new URL(`../fixtures/${name}`, import.meta.url).pathname;
}

/** The unpacked bytes of a gzipped fixture. */
export function fixtureBytes(name: string): Buffer {
  return gunzipSync(readFileSync(fixture(name)));
}

/** A dump in memory, handed over in chunks of the given sizes (the last one repeats). */
export function chunked(
  bytes: Buffer | string,
  sizes: readonly number[] = [65_536],
): DumpSource & { readonly kind: 'stream' } {
  return { kind: 'stream', name: 'test.sql', bytes: chunks(Buffer.from(bytes), sizes) };
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* chunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** All threads of a dump, threads and rows sorted by key. */
export async function readAll(
  source: DumpSource,
  options: ReadDumpOptions = {},
): Promise<readonly ThreadRows[]> {
  const threads: ThreadRows[] = [];
  for await (const rows of readDump(source, options)) threads.push(sorted(rows));
  return threads.sort(by((rows) => [rows.schema, rows.thread]));
}

function sorted(rows: ThreadRows): ThreadRows {
  return {
    ...rows,
    checkpoints: rows.checkpoints.toSorted(by((row) => [row.namespace, row.id])),
    blobs: rows.blobs?.toSorted(by((row) => [row.namespace, row.channel, row.version])) ?? null,
    writes: rows.writes?.toSorted(by((row) => [row.namespace, row.checkpoint, row.task, row.index])) ?? null,
  };
}

function by<Row>(key: (row: Row) => readonly unknown[]): (one: Row, other: Row) => number {
  return (one, other) => {
    const [left, right] = [JSON.stringify(key(one)), JSON.stringify(key(other))];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

/** What reading a dump fails with; null when it does not fail. */
export async function failureOf(source: DumpSource): Promise<unknown> {
  try {
    await readAll(source);
    return null;
  } catch (error) {
    return error;
  }
}
