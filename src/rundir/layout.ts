/**
 * A run directory: where a series keeps everything it saw, phase by phase, so that it can be analysed again without
 * a cluster. `runs/<scenario>/<utc>/`, with `runs/latest` and `runs/<scenario>/latest` linking to the newest.
 */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { unwritable } from './append-file.ts';

/** The files of a run directory. */
export interface RunLayout {
  readonly folder: string;
  /** `forkscope-series/1`: settings, versions, outcomes. */
  readonly series: string;
  /** What the driver did and learned. */
  readonly history: string;
  /** The effect log. */
  readonly effects: string;
  /** The second instrument: the effects table, copied out. */
  readonly effectsTable: string;
  /** The payment provider's own log; absent where no arm needs a provider. */
  readonly provider: string;
  /** Checkpoint, blob and write rows, one JSON object a line. */
  readonly rows: string;
  /** One log file a worker slot. */
  readonly workers: string;
}

/** The paths inside a run directory; touches nothing. */
export function layoutOf(folder: string): RunLayout {
  return {
    folder,
    series: join(folder, 'series.json'),
    history: join(folder, 'history.jsonl'),
    effects: join(folder, 'effects.jsonl'),
    effectsTable: join(folder, 'effects-table.jsonl'),
    provider: join(folder, 'provider.jsonl'),
    rows: join(folder, 'rows.jsonl'),
    workers: join(folder, 'workers'),
  };
}

/** True when the folder looks like a run directory. */
export function isRunDirectory(folder: string): boolean {
  return existsSync(layoutOf(folder).series);
}

/**
 * Creates the directory of a new series under `root` and points the `latest` links at it.
 *
 * @param startedAt when the series began; names the folder, with a counter behind it if the second is taken
 * @throws OperatorError when the place cannot be written
 */
export function createRunDirectory(root: string, scenario: string, startedAt: Date): RunLayout {
  const stamp = startedAt.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  try {
    for (let counter = 1; ; counter += 1) {
      const folder = join(root, scenario, counter === 1 ? stamp : `${stamp}-${counter}`);
      if (existsSync(folder)) continue;
      makeFolder(join(folder, 'workers'));
      linkLatest(join(root, 'latest'), root, folder);
      linkLatest(join(root, scenario, 'latest'), join(root, scenario), folder);
      return layoutOf(folder);
    }
  } catch (cause) {
    throw unwritable(root, cause);
  }
}

/** Replaces a file in one step: a reader sees the old or the new text, never a half. */
export function replaceFile(path: string, text: string): void {
  try {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** One level at a time: on a file system that takes no folders (/proc), Node's own `recursive` never returns. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

function linkLatest(link: string, from: string, folder: string): void {
  rmSync(`${link}.new`, { force: true });
  symlinkSync(relative(from, folder), `${link}.new`);
  renameSync(`${link}.new`, link);
}
