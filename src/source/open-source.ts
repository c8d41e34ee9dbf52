/**
 * From what the operator named to a source: a run directory, a dump or rows in a file or folder, `-` for standard
 * input. Easy to get wrong: a DSN looks like a path that does not exist, and its message must not show the password.
 */
import { existsSync } from 'node:fs';
import { OperatorError } from '../failure/operator-error.ts';
import { redactDsn } from '../postgres/dsn.ts';
import { isRunDirectory } from '../rundir/layout.ts';
import { openDumpSource } from './dump-source.ts';
import type { EffectsMap } from './effects-map.ts';
import { readEffectsLog, type EffectsLog } from './effects-log.ts';
import { openRunSource } from './run-source.ts';
import type { Source, SourceFilter } from './source.ts';
import { withEffects } from './with-effects.ts';

/** What is to be opened. */
export interface SourceRequest {
  /** A path, or `-` for standard input. */
  readonly place: string;
  readonly filter: SourceFilter;
  /** A log to join with the rows; null: none. `map` null: recognised. */
  readonly effects: { readonly file: string; readonly map: EffectsMap | null } | null;
}

/** An opened source and the log that was joined with it. */
export interface OpenSource {
  readonly source: Source;
  /** Null without a log of the operator's. */
  readonly log: EffectsLog | null;
}

/** Opens a source. *Cost*: reads a dump and a log whole. *Fails* with OperatorError naming file and place. */
export async function openSource({ place, filter, effects }: SourceRequest): Promise<OpenSource> {
  if (/^postgres(?:ql)?:\/\//i.test(place)) throw databaseGiven(place);
  if (place !== '-' && (isRunDirectory(place) || isLeftRunDirectory(place))) {
    if (effects !== null) throw secondLog(place);
    return { source: await openRunSource(place, filter), log: null };
  }
  const log = effects === null ? null : await readEffectsLog(effects.file, effects.map);
  const dump =
    place === '-'
      ? ({ kind: 'stream', name: 'standard input', bytes: process.stdin } as const)
      : ({ kind: 'file', path: place } as const);
  const source = await openDumpSource(dump, filter, log !== null);
  return log === null ? { source, log } : { source: withEffects(source, log, filter), log };
}

/** A series that died before its settings were written, or a folder whose settings were removed. */
function isLeftRunDirectory(place: string): boolean {
  return existsSync(`${place}/rows.jsonl`) && existsSync(`${place}/history.jsonl`);
}

function databaseGiven(dsn: string): OperatorError {
  return new OperatorError({
    happened: 'a database cannot be audited directly yet',
    place: redactDsn(dsn),
    remedy: 'Pipe a dump instead: pg_dump -t "*checkpoint*" DSN | forkscope audit -',
  });
}

function secondLog(folder: string): OperatorError {
  return new OperatorError({
    happened: 'a run directory brings its own effect log',
    place: folder,
    remedy: 'Leave --effects out.',
  });
}
