/**
 * One thread's evidence out of a source that may hold a million: a run directory, a dump, or rows as JSON lines. Only
 * rows of that thread are kept; of the others, their names, to say which were near. Easy to get wrong: one thread id
 * in two schemas is two threads, and drawing either as the one would be a guess.
 */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import { deriveRules } from '#analysis/invariants/derive-rules.ts';
import { readDump } from '../dump/read-dump.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { printable } from '../report/printable.ts';
import { isRunDirectory } from '../rundir/layout.ts';
import { optionsFor, readSettings } from '../rundir/series-file.ts';
import { openRunDirectory } from '../source/run-directory.ts';
import { nearestNames } from './nearest-names.ts';

/** A thread and where to look for it. */
export interface ThreadRequest {
  /** A run directory, a dump, JSON lines of rows, or `-` for standard input. */
  readonly source: string;
  readonly thread: string;
  /** Only where the source holds tables in several schemas; null: there is one. */
  readonly schema: string | null;
}

/** A thread that was found. */
export interface FoundThread {
  readonly kind: 'dump' | 'run';
  readonly evidence: ThreadEvidence;
  /** What the source itself knows to ask. */
  readonly options: AnalysisOptions;
}

/** Near names that an unknown thread's message tells. */
const nearest = 5;

/** Finds the thread. *Cost*: reads the source once. *Fails* with OperatorError: unreadable, unknown, or ambiguous. */
export async function findThread(request: ThreadRequest): Promise<FoundThread> {
  return isRunDirectory(request.source) ? findInRun(request) : findInDump(request);
}

async function findInRun({ source, thread }: ThreadRequest): Promise<FoundThread> {
  const settings = readSettings(source);
  const options = optionsFor(settings, await deriveRules(settings.graph));
  const directory = await openRunDirectory(source);
  const names = new Set<string>();
  for await (const evidence of directory.threads()) {
    if (evidence.rows.thread === thread) return { kind: 'run', evidence, options };
    names.add(evidence.rows.thread);
  }
  throw unknownThread(source, thread, names);
}

async function findInDump({ source, thread, schema }: ThreadRequest): Promise<FoundThread> {
  const names = new Set<string>();
  const found: ThreadEvidence[] = [];
  const from =
    source === '-'
      ? ({ kind: 'stream', name: 'standard input', bytes: process.stdin } as const)
      : ({ kind: 'file', path: source } as const);
  const wantsThread = (name: string): boolean => {
    names.add(name);
    return name === thread;
  };
  for await (const rows of readDump(from, { wantsThread })) {
    if (schema === null || rows.schema === schema) found.push({ rows, log: null, runs: null });
  }
  const [evidence, ...others] = found;
  if (evidence === undefined) {
    if (schema !== null && names.has(thread)) throw otherSchema(source, thread, schema);
    throw unknownThread(source, thread, names);
  }
  if (others.length > 0) throw severalSchemas(source, thread, found);
  return { kind: 'dump', evidence, options: { rules: [] } };
}

function unknownThread(source: string, thread: string, names: ReadonlySet<string>): OperatorError {
  const near = nearestNames(thread, names, nearest).map((name) => printable(name, 80));
  const count = names.size === 1 ? '1 thread' : `${names.size} threads`;
  return new OperatorError({
    happened: `no row belongs to thread ${printable(thread, 80)}`,
    place: `${source}, ${count}`,
    remedy: near.length === 0 ? 'The source holds no thread at all.' : `The nearest: ${near.join(', ')}.`,
  });
}

function otherSchema(source: string, thread: string, schema: string): OperatorError {
  return new OperatorError({
    happened: `no row of schema ${printable(schema, 80)} belongs to thread ${printable(thread, 80)}`,
    place: source,
    remedy: 'Another schema holds the thread: leave --schema out to see which.',
  });
}

function severalSchemas(source: string, thread: string, found: readonly ThreadEvidence[]): OperatorError {
  const schemas = found.map(({ rows }) => printable(rows.schema ?? 'unnamed', 80));
  return new OperatorError({
    happened: `${schemas.length} schemas hold a thread ${printable(thread, 80)}: ${schemas.join(', ')}`,
    place: source,
    remedy: 'Choose one with --schema.',
  });
}
