/**
 * Which threads are held now: a list of ids, or of leases with the time at which each ends. Easy to get wrong: an id may
 * hold commas and look like anything, so a list is CSV only where its first line names a column for the thread.
 */
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { Lease } from '#analysis/model/ledger.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { delimiterOf, openLog, textRecords, type LogRecord, type LogText } from './log-records.ts';
import { MappedFields, fieldList } from './mapped-fields.ts';
import { textLines } from './text-lines.ts';

/** The threads that are held. */
export interface ActiveThreads {
  readonly name: string;
  readonly leases: ReadonlyMap<ThreadId, Lease>;
}

/** What leases call the thread, and the time at which they end. */
const threadFields = ['thread_id', 'thread'] as const;
const expiryFields = ['expires_at', 'expires', 'expiry'] as const;

/**
 * Reads a list: one id a line, or CSV or JSON lines with `thread` and perhaps `expires_at`; gzipped or not, `-` is
 * standard input. An empty list says that no thread is held. *Fails* with OperatorError naming file and line.
 */
export async function readActiveThreads(file: string): Promise<ActiveThreads> {
  const text = await openLog(file);
  const leases = new Map<ThreadId, Lease>();
  const form = formOf(text.head);
  if (form === 'list') {
    for await (const { text: line } of textLines(text.stream, text.name)) {
      hold(leases, line.trim() as ThreadId, null);
    }
  } else for await (const [thread, expiresMs] of leasesOf(text, form)) hold(leases, thread, expiresMs);
  return { name: text.name, leases };
}

async function* leasesOf(
  text: LogText,
  form: LogRecord['form'],
): AsyncGenerator<readonly [ThreadId, number | null]> {
  for await (const record of textRecords(text, form)) {
    const thread = threadFields.find((name) => record.fields.has(name));
    const expiry = expiryFields.find((name) => record.fields.has(name));
    if (thread === undefined) throw withoutThread(record);
    const map = new Map<'thread' | 'expiry', string>([['thread', thread]]);
    if (expiry !== undefined) map.set('expiry', expiry);
    const read = new MappedFields(record, map, { what: 'lease', option: '--active' });
    yield [read.needed('thread', 'not empty') as ThreadId, read.time('expiry')];
  }
}

/** Of several leases on one thread the longest counts. */
function hold(leases: Map<ThreadId, Lease>, thread: ThreadId, expiresMs: number | null): void {
  const held = leases.get(thread);
  if (held?.expiresMs === null) return;
  const longest = held === undefined || expiresMs === null ? expiresMs : Math.max(held.expiresMs, expiresMs);
  leases.set(thread, { expiresMs: longest });
}

function formOf(head: Buffer): LogRecord['form'] | 'list' {
  const [first = ''] = head
    .toString('utf8')
    .replace(/^\ufeff/u, '')
    .trimStart()
    .split('\n', 1);
  if (first.startsWith('{')) return 'json';
  const cells = first.split(delimiterOf(head)).map((cell) => cell.trim().replace(/^"(.*)"$/u, '$1'));
  return threadFields.some((name) => cells.includes(name)) ? 'csv' : 'list';
}

function withoutThread({ place, fields }: LogRecord): OperatorError {
  return new OperatorError({
    happened: 'the lease names no thread',
    place,
    expected: `${threadFields.join(' or ')}, and not only ${fieldList(new Set(fields.keys()))}`,
    remedy: 'Write one thread id a line, or name the field thread.',
  });
}
