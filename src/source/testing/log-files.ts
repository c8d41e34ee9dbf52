/** Logs in files for tests: the effect logs of real dumps, and the same records as CSV. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** One record as the node that wrote it logged it. */
export type LoggedRecord = Readonly<Record<string, string | number | null>>;

interface PackedThread {
  readonly thread: string;
  readonly effects: readonly LoggedRecord[];
  readonly truth: { readonly executed: Readonly<Record<string, number>> } | null;
}

function packed(set: string): readonly PackedThread[] {
  const path = new URL(`../../../analysis/corpus/${set}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as PackedThread);
}

/** Every record of a set's log. */
export function recordsOf(set: string): readonly LoggedRecord[] {
  return packed(set).flatMap(({ thread, effects }) => effects.map((effect) => ({ ...effect, thread })));
}

/** How often each node ran, as the maker of the set knows it, by thread. */
export function executedOf(set: string): ReadonlyMap<string, Readonly<Record<string, number>>> {
  return new Map(packed(set).map(({ thread, truth }) => [thread, truth?.executed ?? {}]));
}

/** The records as JSON lines. */
export function jsonLines(records: readonly LoggedRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The records as CSV with the columns of all of them. */
export function csvText(records: readonly LoggedRecord[], delimiter = ','): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cell = (value: string | number | null | undefined): string =>
    value == null ? '' : `"${String(value).replaceAll('"', '""')}"`;
  const rows = records.map((record) => columns.map((column) => cell(record[column])).join(delimiter));
  return [columns.map(cell).join(delimiter), ...rows, ''].join('\r\n');
}

/** A folder for the files of one test. */
export class LogFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'forkscope-log-'));

  /** Writes a file and gives its path. */
  write(name: string, text: string | Uint8Array): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
