/**
 * Which of LangGraph's tables is this, and where are its columns? Order, extra columns and missing ones are the
 * dump's affair: columns are found by name. Easy to get wrong: other programs too have a table named `checkpoints`,
 * so a table is LangGraph's only if it has the columns LangGraph cannot do without.
 */

/** The three tables an audit reads. */
export type TableKind = 'checkpoints' | 'blobs' | 'writes';

const kinds: ReadonlyMap<string, TableKind> = new Map([
  ['checkpoints', 'checkpoints'],
  ['checkpoint_blobs', 'blobs'],
  ['checkpoint_writes', 'writes'],
]);

/** The names of the tables an audit reads. */
export const wantedTables: readonly string[] = [...kinds.keys()];

/** The kind a table's bare name suggests; null for all others. */
export function tableKind(table: string): TableKind | null {
  return kinds.get(table) ?? null;
}

/** The columns an audit reads, in whichever of the tables. */
const known = [
  'thread_id',
  'checkpoint_ns',
  'checkpoint_id',
  'parent_checkpoint_id',
  'checkpoint',
  'metadata',
  'channel',
  'version',
  'type',
  'blob',
  'task_id',
  'idx',
  'task_path',
] as const;

/** One of the columns an audit reads. */
export type Column = (typeof known)[number];

/** The columns an audit reads of each table, in LangGraph's own order; older and shallow tables lack some. */
export const readColumns: Readonly<Record<TableKind, readonly Column[]>> = {
  checkpoints: [
    'thread_id',
    'checkpoint_ns',
    'checkpoint_id',
    'parent_checkpoint_id',
    'checkpoint',
    'metadata',
  ],
  blobs: ['thread_id', 'checkpoint_ns', 'channel', 'version', 'type', 'blob'],
  writes: [
    'thread_id',
    'checkpoint_ns',
    'checkpoint_id',
    'task_id',
    'idx',
    'channel',
    'type',
    'blob',
    'task_path',
  ],
};

/** Where a table's columns are. */
export interface TableLayout {
  readonly kind: TableKind;
  /** How many columns a row has. */
  readonly width: number;
  /** Position of each column in a row; -1 when the table has no such column. */
  readonly at: Readonly<Record<Column, number>>;
  /** The shallow saver's form of the table: `checkpoints` without `checkpoint_id`, blobs without `version`. */
  readonly isShallow: boolean;
}

const required: Readonly<Record<TableKind, readonly Column[]>> = {
  checkpoints: ['thread_id', 'checkpoint_ns', 'checkpoint', 'metadata'],
  blobs: ['thread_id', 'checkpoint_ns', 'channel', 'type', 'blob'],
  writes: ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx', 'channel', 'blob'],
};

/** The layout of a table of `kind`; or the columns it lacks to be LangGraph's. */
export function tableLayout(kind: TableKind, columns: readonly string[]): TableLayout | readonly string[] {
  const at = Object.fromEntries(known.map((column) => [column, columns.indexOf(column)])) as Record<
    Column,
    number
  >;
  const missing = required[kind].filter((column) => at[column] < 0);
  if (missing.length > 0) return missing;
  const distinguishing = kind === 'blobs' ? 'version' : 'checkpoint_id';
  return { kind, width: columns.length, at, isShallow: at[distinguishing] < 0 };
}

/**
 * The column order in which LangGraph itself creates a table with `width` columns, for a data-only dump of bare
 * INSERTs, which names no columns; null for a width it never had. *Source*: the migrations of both savers.
 */
export function createdColumns(kind: TableKind, width: number): readonly string[] | null {
  return created[kind].find((columns) => columns.length === width) ?? null;
}

const writes = ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx', 'channel', 'type', 'blob'];
const created: Readonly<Record<TableKind, readonly (readonly string[])[]>> = {
  checkpoints: [
    ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id', 'type', 'checkpoint', 'metadata'],
    ['thread_id', 'checkpoint_ns', 'type', 'checkpoint', 'metadata'],
  ],
  blobs: [
    ['thread_id', 'checkpoint_ns', 'channel', 'version', 'type', 'blob'],
    ['thread_id', 'checkpoint_ns', 'channel', 'type', 'blob'],
  ],
  writes: [writes, [...writes, 'task_path']],
};
