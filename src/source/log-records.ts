/**
 * A log file as records of named fields: JSON lines or CSV, gzipped or not. Easy to get wrong: CSV has no null, so an
 * empty cell is taken as one unless it is quoted, as Postgres writes them.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { asBuffer, peek, type ByteStream } from '../dump/byte-stream.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { textLines } from './text-lines.ts';

/** One record of a log. */
export interface LogRecord {
  /** Field → value as the file has it: JSON values, or text and null from CSV. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** CSV cannot tell an empty text from none. */
  readonly form: 'json' | 'csv';
  /** File and line, for messages. */
  readonly place: string;
}

/** What {@link recordForm} looks at. */
const headBytes = 65_536;
const gzipMagic = '1f8b';

/** A log's unpacked bytes, not read yet. */
export interface LogText {
  /** How messages call it. */
  readonly name: string;
  /** Its beginning, which `stream` gives too. */
  readonly head: Buffer;
  readonly stream: ByteStream;
}

/** Every record of a log. `-` is standard input. *Fails* with OperatorError naming file and line. */
export async function* logRecords(path: string): AsyncGenerator<LogRecord> {
  const text = await openLog(path);
  yield* textRecords(text, recordForm(path, text.head));
}

/** Opens a log, gzipped or not; its stream is to be read. *Fails* with OperatorError naming the file. */
export async function openLog(path: string): Promise<LogText> {
  const name = path === '-' ? 'standard input' : path;
  const opened = await peek(path === '-' ? process.stdin : fileBytes(path), headBytes);
  const isPacked = opened.head.toString('hex', 0, 2) === gzipMagic;
  const { head, stream } = isPacked ? await peek(unpacked(opened.stream, name), headBytes) : opened;
  return { name, head, stream };
}

/** The records of an opened log. *Fails* with OperatorError naming file and line. */
export async function* textRecords(
  { name, head, stream }: LogText,
  form: LogRecord['form'],
): AsyncGenerator<LogRecord> {
  if (form === 'csv') yield* csvRecords(stream, name, delimiterOf(head));
  else yield* jsonRecords(stream, name);
}

/** By the file's ending, else by its first character: JSON lines begin with an object. */
export function recordForm(path: string, head: Buffer): LogRecord['form'] {
  const ending = /\.(?<ending>csv|tsv|jsonl|ndjson|json)(?:\.gz)?$/i.exec(path)?.groups?.['ending'];
  if (ending !== undefined) return /^[ct]sv$/i.test(ending) ? 'csv' : 'json';
  return /^\ufeff?\s*(?:\{|$)/u.test(head.toString('utf8', 0, 4_096)) ? 'json' : 'csv';
}

/** The one of comma, tab and semicolon that the header line has most of. */
export function delimiterOf(head: Buffer): string {
  const header = head.toString('utf8').split('\n', 1)[0] ?? '';
  const count = (delimiter: string): number => header.split(delimiter).length;
  return [',', '\t', ';'].reduce((best, other) => (count(other) > count(best) ? other : best));
}

async function* jsonRecords(bytes: ByteStream, name: string): AsyncGenerator<LogRecord> {
  for await (const { text, number } of textLines(bytes, name)) {
    const place = `${name}, line ${number}`;
    yield { fields: new Map(Object.entries(jsonObject(text, place))), form: 'json', place };
  }
}

function jsonObject(text: string, place: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/u, ''));
  } catch {
    // The parser's own message quotes the line, which may be a customer's data.
    throw undecodable('the line is no JSON', place);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw undecodable('the line is no JSON object', place);
}

function undecodable(happened: string, place: string): OperatorError {
  return new OperatorError({
    happened,
    place,
    expected: 'one JSON object a line, or CSV with a header line',
    remedy: 'Correct the line or leave it out; a file named .csv is read as CSV.',
  });
}

interface CsvRow {
  readonly record: readonly (string | null)[];
  readonly info: { readonly lines: number };
}

async function* csvRecords(bytes: ByteStream, name: string, delimiter: string): AsyncGenerator<LogRecord> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    skip_empty_lines: true,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
  const source = Readable.from(bytes);
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let header: readonly string[] | null = null;
  try {
    for await (const row of parser) {
      const { record, info } = row as CsvRow;
      const place = `${name}, line ${info.lines}`;
      if (header === null) header = headerOf(record, place);
      else {
        const fields = new Map(header.map((field, at) => [field, record[at] ?? null]));
        yield { fields, form: 'csv', place };
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new OperatorError({
      happened: `the file is no CSV: ${csvProblem(error)}`,
      place: name,
      remedy: 'Write it with a CSV library: as many cells a line as the header has, quotes doubled.',
      cause: error,
    });
  } finally {
    source.destroy();
  }
}

/** The library's message may quote a record, so only its line and code are kept. */
function csvProblem(error: CsvError): string {
  const what = error.code.replace(/^CSV_/, '').replaceAll('_', ' ').toLowerCase();
  const line = /line (\d+)/.exec(error.message)?.[1];
  return line === undefined ? what : `${what} at line ${line}`;
}

function headerOf(record: CsvRow['record'], place: string): readonly string[] {
  const header = record.map((field) => (field ?? '').trim());
  const twice = header.find((field, at) => field !== '' && header.indexOf(field) !== at);
  if (twice === undefined) return header;
  throw new OperatorError({
    happened: `the header names the column ${twice} twice`,
    place,
    remedy: 'Name each column once.',
  });
}

async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new OperatorError({
      happened: code === 'ENOENT' ? 'there is no such file' : `the file cannot be read: ${code}`,
      place: path,
      remedy: 'Check the path and its permissions.',
      cause,
    });
  }
}

async function* unpacked(bytes: ByteStream, name: string): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(bytes);
  const gunzip = createGunzip();
  packed.once('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield asBuffer(chunk as Uint8Array);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError({
      happened: 'the gzip file is damaged or cut off',
      place: name,
      remedy: 'Copy it again and compare the sizes.',
      cause,
    });
  } finally {
    packed.destroy();
  }
}
