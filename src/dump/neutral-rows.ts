/**
 * Checkpoint rows as JSON lines: the format of a run directory's `rows.jsonl`, and what people with other savers
 * export into (docs/rows-format.md). One object a line, its `table` says which; columns have Postgres' names, stored
 * bytes are base64. Rows may stand in any order; a reader groups them by thread.
 */
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { decodeCheckpoint } from '#analysis/rows/decode-checkpoint.ts';
import { DecodeError } from '#analysis/rows/decode-error.ts';
import { decodeBlob, decodeWrite } from '#analysis/rows/decode-tables.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { textLines } from '../source/text-lines.ts';
import type { DecodedRow } from './row-decoder.ts';

const bytes = z
  .base64()
  .nullable()
  .transform((text) => (text === null ? null : Buffer.from(text, 'base64')));

const lineSchema = z.discriminatedUnion('table', [
  z.object({
    table: z.literal('checkpoints'),
    thread_id: z.string(),
    checkpoint_ns: z.string().default(''),
    checkpoint_id: z.string(),
    parent_checkpoint_id: z.string().nullable().default(null),
    checkpoint: z.unknown(),
    metadata: z.unknown(),
  }),
  z.object({
    table: z.literal('checkpoint_blobs'),
    thread_id: z.string(),
    checkpoint_ns: z.string().default(''),
    channel: z.string(),
    version: z.union([z.string(), z.number().transform(String)]),
    type: z.string().nullable(),
    blob: bytes,
  }),
  z.object({
    table: z.literal('checkpoint_writes'),
    thread_id: z.string(),
    checkpoint_ns: z.string().default(''),
    checkpoint_id: z.string(),
    task_id: z.string(),
    idx: z.number().int(),
    channel: z.string(),
    type: z.string().nullable(),
    blob: bytes,
    task_path: z.string().nullable().default(null),
  }),
]);

/** One line before it is written; `checkpoint` and `metadata` are JSON text, kept as the database gave it. */
export type NeutralRow =
  | {
      readonly table: 'checkpoints';
      readonly thread_id: string;
      readonly checkpoint_ns: string;
      readonly checkpoint_id: string;
      readonly parent_checkpoint_id: string | null;
      readonly checkpoint: string;
      readonly metadata: string;
    }
  | {
      readonly table: 'checkpoint_blobs' | 'checkpoint_writes';
      readonly blob: Uint8Array | null;
      readonly [column: string]: string | number | Uint8Array | null;
    };

/** One row as a line, line feed included. */
export function neutralLine(row: NeutralRow): string {
  if (row.table === 'checkpoints') {
    const { checkpoint, metadata, ...columns } = row;
    // The JSON columns are spliced in as text: parsing and printing them again would cost time and could change them.
    return `${JSON.stringify(columns).slice(0, -1)},"checkpoint":${checkpoint},"metadata":${metadata}}\n`;
  }
  const blob = row.blob === null ? null : Buffer.from(row.blob).toString('base64');
  return `${JSON.stringify({ ...row, blob })}\n`;
}

interface Collected {
  readonly checkpoints: ThreadRows['checkpoints'][number][];
  readonly blobs: NonNullable<ThreadRows['blobs']>[number][];
  readonly writes: NonNullable<ThreadRows['writes']>[number][];
}

/**
 * Reads a file of rows, a thread at a time.
 *
 * @param grouping `contiguous` when the lines of one thread stand together, as in a run directory: one thread is in
 *   memory at a time. `any` holds all rows before the first thread is given out.
 * @throws OperatorError with file and line for a line that is no row
 */
export async function* readNeutralThreads(
  path: string,
  grouping: 'contiguous' | 'any',
): AsyncGenerator<ThreadRows> {
  const open = new Map<string, Collected>();
  let current: string | null = null;
  for await (const { text, number } of textLines(createReadStream(path), path)) {
    const { table, row } = neutralRow(text, `${path}, line ${number}`);
    if (grouping === 'contiguous' && current !== null && row.thread !== current) {
      yield* drained(open);
    }
    current = row.thread;
    let rows = open.get(current);
    if (rows === undefined) open.set(current, (rows = { checkpoints: [], blobs: [], writes: [] }));
    if (table === 'checkpoints') rows.checkpoints.push(row);
    else if (table === 'blobs') rows.blobs.push(row);
    else rows.writes.push(row);
  }
  yield* drained(open);
}

function* drained(open: Map<string, Collected>): Generator<ThreadRows> {
  for (const [thread, rows] of open) yield { thread: thread as ThreadId, schema: null, ...rows };
  open.clear();
}

/** One line whose fields have the right types. */
export type NeutralLine = z.infer<typeof lineSchema>;

/** The row of one line. Fails: OperatorError naming `place` and what is wrong with the line. */
export function neutralRow(line: string, place: string): DecodedRow {
  return neutralData(line, () => place).row;
}

/**
 * The same with the line's own fields, for whoever stores the row and decodes it again later. `place` is asked for only
 * when something is wrong.
 */
export function neutralData(
  line: string,
  place: () => string,
): { readonly row: DecodedRow; readonly fields: NeutralLine } {
  let problem: string;
  try {
    const decoded = lineSchema.safeParse(JSON.parse(line));
    if (decoded.success) return { row: decodedRow(decoded.data), fields: decoded.data };
    problem = z.prettifyError(decoded.error);
  } catch (error) {
    if (error instanceof DecodeError) problem = error.message;
    // The parser's own message quotes the line, which may be a customer's data.
    else if (error instanceof SyntaxError) problem = 'it is no JSON';
    else throw error;
  }
  throw new OperatorError({
    happened: `the line is no checkpoint row: ${problem}`,
    place: place(),
    expected: 'one JSON object with "table" checkpoints, checkpoint_blobs or checkpoint_writes',
    remedy: 'Compare the line with docs/rows-format.md.',
  });
}

function decodedRow(line: NeutralLine): DecodedRow {
  switch (line.table) {
    case 'checkpoints':
      return { table: 'checkpoints', row: decodeCheckpoint(line) };
    case 'checkpoint_blobs':
      return { table: 'blobs', row: decodeBlob(line) };
    case 'checkpoint_writes':
      return { table: 'writes', row: decodeWrite(line) };
  }
}
