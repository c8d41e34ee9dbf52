/**
 * Which threads have to be looked at? Asked of the database itself: it proves most threads ordinary where they lie, and
 * only the names of the others come over the wire. Easy to get wrong: a cursor would keep the server from using
 * parallel workers, so the answer comes as a COPY, which streams and does not.
 */
import { invariant } from '#analysis/model/bug.ts';
import { copyField } from '../dump/copy-text.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { LiveSession, ServerFacts } from '../live/live-session.ts';
import { censusSchemas, type CensusSchema, type CensusTable } from './census-tables.ts';
import { censusColumns, censusSql, sessionSettings } from './census-sql.ts';
import { isMark, type Mark } from './marks.ts';

/** A session inside a READ ONLY, REPEATABLE READ transaction. */
export type CensusSession = Pick<LiveSession, 'query' | 'copy' | 'facts'>;

/** The first version with subscripts of jsonb, without which a foreign server would not group for itself. */
const leastVersion = 140_000;

/** A thread that could not be proved ordinary. */
export interface SuspiciousThread {
  readonly kind: 'thread';
  readonly schema: string;
  readonly thread: string;
  /** Why, ascending by name; at least one. */
  readonly marks: readonly Mark[];
}

/** Exact counts over all threads of a schema, suspicious or not. */
export interface CensusTotals {
  readonly kind: 'totals';
  readonly schema: string;
  readonly threads: number;
  readonly namespaces: number;
  readonly checkpoints: number;
}

/**
 * Tells the suspicious threads of each schema, each once and in no order, and each schema's totals once. Every thread
 * of which the analysis would report a warning, an error or an undecided question, rows alone given, is among them;
 * see `coverage` for what may stay. *Cost*: each table's keys are read once (checkpoints' twice), no value is; the
 * server keeps one row a namespace; this process nothing. *Fails* as the session does, and with OperatorError where
 * the server is older than version 14.
 */
export async function* census(
  session: CensusSession,
  tables: readonly CensusTable[],
): AsyncGenerator<SuspiciousThread | CensusTotals> {
  if (session.facts.version < leastVersion) throw tooOld(session.facts);
  for (const [name, value] of sessionSettings) await session.query(`SET LOCAL ${name} = ${value}`, null);
  for (const schema of censusSchemas(tables)) yield* schemaCensus(session, schema);
}

function tooOld({ version, database }: ServerFacts): OperatorError {
  return new OperatorError({
    happened: `the server is PostgreSQL ${Math.floor(version / 10_000)}`,
    place: `database ${database}`,
    expected: 'PostgreSQL 14 or later for --engine sql',
    remedy: 'Leave --engine out: every row is then read and analysed here.',
  });
}

async function* schemaCensus(
  session: CensusSession,
  schema: CensusSchema,
): AsyncGenerator<SuspiciousThread | CensusTotals> {
  const answer = session.copy(censusSql(schema), `the census of schema ${schema.schema}`);
  for await (const line of copyLines(answer)) yield decodeLine(schema.schema, line);
}

/** Whole lines of COPY's text format, without their line feeds. */
async function* copyLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
      yield bytes.subarray(at, end);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
  invariant(rest.length === 0, 'every row of a COPY ends with a line feed');
}

/** What one row says. */
export function decodeLine(schema: string, line: Buffer): SuspiciousThread | CensusTotals {
  const fields = fieldsOf(line);
  invariant(fields.length === censusColumns.length, 'the statement has these columns');
  const [thread, found, threads, namespaces, checkpoints] = fields;
  if (typeof thread === 'string') {
    const marks = (found ?? '').split(' ').filter(isMark).sort();
    invariant(marks.length > 0, 'only marked threads have a row');
    return { kind: 'thread', schema, thread, marks };
  }
  return {
    kind: 'totals',
    schema,
    threads: count(threads),
    namespaces: count(namespaces),
    checkpoints: count(checkpoints),
  };
}

function fieldsOf(line: Buffer): readonly (string | null)[] {
  const fields: (string | null)[] = [];
  for (let start = 0; start <= line.length;) {
    const tab = line.indexOf(0x09, start);
    const end = tab < 0 ? line.length : tab;
    fields.push(copyField(line, start, end)?.toString('utf8') ?? null);
    start = end + 1;
  }
  return fields;
}

function count(field: string | null | undefined): number {
  const value = Number(field ?? Number.NaN);
  invariant(Number.isSafeInteger(value), 'a count of rows is an integer');
  return value;
}
