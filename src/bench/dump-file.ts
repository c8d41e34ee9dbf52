/**
 * A generated dump as a file for one benchmark. Easy to get wrong: the tests' folder for temporary files may be small
 * or kept in memory, so room is asked for first and TMPDIR says where to go instead.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import { OperatorError } from '../failure/operator-error.ts';
import type { DumpSummary } from './generate/dump-summary.ts';
import { generateDump } from './generate/generate-dump.ts';
import type { DumpSettings } from './generate/settings.ts';

/** A dump on disk and what it holds. */
export interface DumpFile {
  readonly path: string;
  readonly summary: DumpSummary;
}

/** Bytes of a dump for one checkpoint of the full mix, roughly. */
const bytesPerCheckpoint = 1600;

/**
 * Generates a dump, hands it to `use` and removes it in any case. *Fails* with OperatorError when the disk has no room
 * for it.
 */
export async function withDump<Result>(
  settings: DumpSettings,
  use: (dump: DumpFile, folder: string) => Promise<Result>,
  expectedBytes = settings.checkpoints * bytesPerCheckpoint +
    settings.giantBlobBytes +
    settings.giantWriteBytes,
): Promise<Result> {
  needRoom(expectedBytes * (settings.order === 'shuffled' ? 2 : 1));
  const folder = mkdtempSync(join(tmpdir(), 'forkscope-bench-'));
  try {
    const path = join(folder, 'dump.sql');
    return await use({ path, summary: await writeDump(settings, path) }, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a dump to a file, or to standard output where `path` is `-`. */
export async function writeDump(settings: DumpSettings, path: string): Promise<DumpSummary> {
  const out = path === '-' ? process.stdout : createWriteStream(path);
  const failed = once(out, 'error').then(([error]) => {
    throw new OperatorError({
      happened: 'the dump could not be written',
      place: path,
      remedy: 'Give it a place with more room, or one that may be written to.',
      cause: error,
    });
  });
  // The race below sees it; without a run it must not count as unhandled.
  failed.catch(() => undefined);
  const dump = await generateDump(settings);
  for (;;) {
    const next = dump.next();
    if (next.done === true) {
      if (out !== process.stdout) {
        out.end();
        await Promise.race([finished(out), failed]);
      }
      return next.value;
    }
    if (!out.write(next.value)) await Promise.race([once(out, 'drain'), failed]);
  }
}

function needRoom(bytes: number): void {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize > bytes * 1.1) return;
  throw new OperatorError({
    happened: `the benchmark needs ${Math.ceil((bytes * 1.1) / 1e9)} GB of temporary files`,
    place: tmpdir(),
    remedy: 'Set TMPDIR to a folder with more room, or use --scale.',
  });
}
