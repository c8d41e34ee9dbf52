/**
 * A live database as the text of a plain dump, in as many streams as there are connections, all of one moment. Easy to
 * get wrong: only the session that exported the snapshot keeps that moment alive, so it is closed last.
 */
import pg from 'pg';
import { OperatorError } from '../failure/operator-error.ts';
import { placeOf } from '../postgres/connection-failure.ts';
import { formatDsn, parseDsn, redactDsn, unreadableDsn } from '../postgres/dsn.ts';
import { choosesAll, type ThreadChoice } from '../source/thread-choice.ts';
import { undatedSentence } from '../source/chosen-source.ts';
import { sectionEnd, sectionHead, selectRows, threadsCondition, type Values } from './copy-sql.ts';
import { LiveSession } from './live-session.ts';
import type { LiveSettings } from './live-settings.ts';
import { findTables, type LiveTable } from './live-tables.ts';
import { planThreads, planWhole, tableText, type Piece, type WantedThreads } from './reading-plan.ts';
import { census } from './thread-census.ts';

/** What is to be read, and how. */
export interface LiveRequest {
  /** `postgres://…`; what it leaves out comes from PG* variables and .pgpass, as the driver reads them. */
  readonly dsn: string;
  /** Only the tables of this schema; null: of every schema that has some. */
  readonly schema: string | null;
  /** Only rows of these threads; null: of all. */
  readonly threads: readonly string[] | null;
  /** Among these, the chosen ones. */
  readonly choice: ThreadChoice;
  /** Chooses threads itself, in the first session's snapshot, in place of `threads` and `choice`; absent: they do. */
  readonly choose?: (session: LiveSession, tables: readonly LiveTable[]) => Promise<WantedThreads>;
  /** Asks something else in the first session's snapshot, before any row is read; absent: nothing. */
  readonly aside?: (session: LiveSession) => Promise<void>;
  readonly values: Values;
  readonly settings: LiveSettings;
  /** Takes what should be known beside the result, a sentence each. */
  readonly note: (sentence: string) => void;
  /** Aborted, it cancels what runs in the server and closes the connections. */
  readonly stop: AbortSignal;
}

/** An open database. */
export interface LiveText {
  /** Where it is, without a password: `postgres://user@host:5432/database`. */
  readonly name: string;
  /**
   * Sections of a plain dump, each stream to be read once. Together they hold every wanted row once; all can be read at
   * the same time or one after the other. A table may have several sections.
   */
  readonly texts: readonly AsyncIterable<Buffer, undefined>[];
  /** The same rows of one thread again with all their values, from the same snapshot. Not while `texts` are read. */
  readonly whole: (thread: string, schema: string | null) => AsyncIterable<Buffer>;
  /** Ends the transactions and the connections. Harmless when called again. */
  readonly close: () => Promise<void>;
}

/** Opens a database. *Fails* with OperatorError, or with the reason of `stop`; nothing is left open then. */
export async function openLive(request: LiveRequest): Promise<LiveText> {
  const parsed = parseDsn(request.dsn);
  if (parsed === null) throw noDsn();
  const dsn = formatDsn(parsed);
  const { settings, stop, values, note } = request;
  const { first, snapshot } = await openFirst(dsn, request);
  const sessions = [first];
  const close = async (): Promise<void> => {
    // The first one last: the others see its snapshot.
    for (const session of sessions.toReversed()) await session.close();
  };
  try {
    const tables = await findTables(first, placeOf(dsn), request.schema, note);
    await request.aside?.(first);
    const pieces = [...(await plan(first, tables, request))];
    const more = snapshot === null ? 0 : Math.min(settings.connections, pieces.length) - 1;
    if (snapshot !== null && more > 0) {
      for await (const session of companions(dsn, snapshot, more, request)) sessions.push(session);
    }
    stop.throwIfAborted();
    const next = (): Piece | undefined => pieces.shift();
    return {
      name: nameOf(dsn),
      texts: sessions.map((session) => sections(session, next, values, session === first)),
      whole: (thread, schema) => wholeThread(first, tables, thread, schema),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface First {
  readonly first: LiveSession;
  /** Null where there is to be, or can be, one connection only. */
  readonly snapshot: string | null;
}

/** A snapshot is exported before anything else is asked: where that fails, the transaction is lost. */
async function openFirst(dsn: string, { settings, stop, note }: LiveRequest): Promise<First> {
  const first = await LiveSession.open(dsn, settings, stop);
  if (settings.connections < 2) return { first, snapshot: null };
  try {
    return { first, snapshot: await first.exportSnapshot() };
  } catch (error) {
    await first.close();
    stop.throwIfAborted();
    if (!(error instanceof OperatorError)) throw error;
    note(`One connection reads everything: the server exports no snapshot (${error.happened}).`);
    const again = await LiveSession.open(dsn, settings, stop);
    return { first: again, snapshot: null };
  }
}

/** More sessions with the first one's snapshot, as many as can be had. */
async function* companions(
  dsn: string,
  snapshot: string,
  count: number,
  { settings, stop, note }: LiveRequest,
): AsyncGenerator<LiveSession> {
  for (let opened = 0; opened < count; opened += 1) {
    try {
      yield await LiveSession.open(dsn, settings, stop, snapshot);
    } catch (error) {
      stop.throwIfAborted();
      if (!(error instanceof OperatorError)) throw error;
      const fewer = opened === 0 ? 'One connection reads' : `${opened + 1} connections read`;
      note(`${fewer} everything: no further one shares its snapshot (${error.happened}).`);
      return;
    }
  }
}

async function plan(
  session: LiveSession,
  tables: readonly LiveTable[],
  { threads, choice, choose, settings, note }: LiveRequest,
): Promise<readonly Piece[]> {
  if (choose !== undefined) return planThreads(session, tables, await choose(session, tables));
  if (choosesAll(choice)) {
    if (threads === null) return planWhole(session, tables, settings.rangeBytes);
    return planThreads(session, tables, new Map(tables.map(({ schema }) => [schema, threads])));
  }
  const { chosen, undated } = await census(session, tables, threads, choice);
  if (undated > 0) note(undatedSentence(undated));
  return planThreads(session, tables, chosen);
}

async function* sections(
  session: LiveSession,
  next: () => Piece | undefined,
  values: Values,
  isNeededLater: boolean,
): AsyncGenerator<Buffer, undefined> {
  for (let piece = next(); piece !== undefined; piece = next()) yield* section(session, piece, values);
  if (!isNeededLater) await session.close();
}

/** A section is closed and opened again after so many bytes, so that streams can be merged between whole lines. */
const sliceBytes = 1 << 20;

async function* section(
  session: LiveSession,
  { table, where }: Piece,
  values: Values,
): AsyncGenerator<Buffer> {
  const head = sectionHead(table);
  yield head;
  let sliced = 0;
  for await (const chunk of session.copy(selectRows(table, values, where), `table ${tableText(table)}`)) {
    sliced += chunk.length;
    const lineEnd = sliced < sliceBytes ? -1 : chunk.lastIndexOf(0x0a);
    if (lineEnd < 0) {
      yield chunk;
      continue;
    }
    yield chunk.subarray(0, lineEnd + 1);
    yield sectionEnd;
    yield head;
    yield chunk.subarray(lineEnd + 1);
    sliced = 0;
  }
  yield sectionEnd;
}

async function* wholeThread(
  session: LiveSession,
  tables: readonly LiveTable[],
  thread: string,
  schema: string | null,
): AsyncGenerator<Buffer> {
  for (const table of tables) {
    if (schema !== null && table.schema !== schema) continue;
    yield* section(session, { table, where: threadsCondition(table, [thread]) }, 'all');
  }
}

/** With what the string leaves out filled in as the driver does it, so that a report says where its rows are from. */
function nameOf(dsn: string): string {
  const { user, host, port, database } = new pg.Client({ connectionString: dsn });
  return redactDsn(
    formatDsn({
      user: user ?? null,
      password: null,
      host,
      port: String(port),
      database: database ?? user ?? null,
      parameters: new Map(),
    }),
  );
}

function noDsn(): OperatorError {
  return new OperatorError({
    happened: 'this is no connection string',
    place: unreadableDsn,
    expected: 'postgres://user:password@host:port/database',
    remedy: 'Percent-encode the special characters of the password (encodeURIComponent does it).',
  });
}
