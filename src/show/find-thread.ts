/**
 * One thread's evidence out of a source that may hold a million, joined with a log where there is one. Only rows of
 * that thread are kept; of the others, their names, to say which were near. Easy to get wrong: one thread id in two
 * schemas is two threads, and drawing either as the one would be a guess.
 */
import type { CountRule } from '#analysis/model/invariant.ts';
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import { logSummary, type LogSummary } from '../audit/audited-source.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { printable } from '../report/printable.ts';
import { openSource, type OpenSource, type SourceRequest } from '../source/open-source.ts';
import { AskedNames } from './asked-names.ts';
import { nearestNames } from './nearest-names.ts';

/** A thread, where to look for it, and what is asked of it. */
export interface ThreadRequest extends Omit<SourceRequest, 'filter'> {
  readonly thread: string;
  /** Only where the source holds tables in several schemas; null: there is one. */
  readonly schema: string | null;
  /** The user's own, checked beside those that the source derives. */
  readonly rules: readonly CountRule[];
}

/** A thread that was found. */
export interface FoundThread {
  readonly evidence: ThreadEvidence;
  /** What is asked of it: the source's own and the user's. */
  readonly options: AnalysisOptions;
  /** The operator's log as a whole; null without one. */
  readonly log: LogSummary | null;
}

/** Near names that an unknown thread's message tells. */
const nearest = 5;

/**
 * Finds the thread; one that only the log knows comes without rows. *Cost*: reads the source once. *Fails* with
 * OperatorError: unreadable, unknown, or ambiguous.
 */
export async function findThread({ thread, schema, rules, ...request }: ThreadRequest): Promise<FoundThread> {
  const names = new AskedNames([thread]);
  const opened = await openSource({ ...request, filter: { threads: names, schema } });
  const { source, log } = opened;
  try {
    const [evidence, ...others] = await allOf(source.threads());
    if (evidence === undefined) throw absent(opened, thread, schema, names.asked);
    if (others.length > 0) throw severalSchemas(source.name.name, thread, [evidence, ...others]);
    return {
      evidence,
      options: { ...source.options, rules: [...source.options.rules, ...rules] },
      log: log === null ? null : logSummary(source, log),
    };
  } finally {
    source.close?.();
  }
}

/** At most one thread a schema: the filter lets no other through. */
async function allOf(threads: AsyncIterable<ThreadEvidence>): Promise<readonly ThreadEvidence[]> {
  const found: ThreadEvidence[] = [];
  for await (const evidence of threads) found.push(evidence);
  return found;
}

function absent(
  { source, log }: OpenSource,
  thread: string,
  schema: string | null,
  asked: ReadonlySet<string>,
): OperatorError {
  const place = source.name.name;
  if (schema !== null && source.elsewhere.has(thread)) return otherSchema(place, thread, schema);
  return new OperatorError({
    happened:
      log === null
        ? `no row belongs to thread ${printable(thread, 80)}`
        : `neither a row nor a record of the log belongs to thread ${printable(thread, 80)}`,
    place: asked.size === 0 ? place : `${place}, ${asked.size === 1 ? '1 thread' : `${asked.size} threads`}`,
    remedy: nearText(thread, asked, source.name.kind),
  });
}

function nearText(
  thread: string,
  asked: ReadonlySet<string>,
  kind: OpenSource['source']['name']['kind'],
): string {
  const near = nearestNames(thread, asked, nearest).map((name) => printable(name, 80));
  if (near.length > 0) return `The nearest: ${near.join(', ')}.`;
  return kind === 'database'
    ? 'Give the thread_id whole; ids are compared exactly.'
    : 'The source holds no thread at all.';
}

function otherSchema(place: string, thread: string, schema: string): OperatorError {
  return new OperatorError({
    happened: `no row of schema ${printable(schema, 80)} belongs to thread ${printable(thread, 80)}`,
    place,
    remedy: 'Another schema holds the thread: leave --schema out to see which.',
  });
}

function severalSchemas(place: string, thread: string, found: readonly ThreadEvidence[]): OperatorError {
  const schemas = found.map(({ rows }) => printable(rows.schema ?? 'unnamed', 80));
  return new OperatorError({
    happened: `${schemas.length} schemas hold a thread ${printable(thread, 80)}: ${schemas.join(', ')}`,
    place,
    remedy: 'Choose one with --schema.',
  });
}
