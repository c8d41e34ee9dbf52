/**
 * Which tables of one schema does a census ask, and by which names? Easy to get wrong: a schema whose saver keeps no
 * history, or that lacks a table, cannot be asked which of its threads are ordinary; then none is.
 */
import pg from 'pg';
import type { TableKind } from '../dump/table-layout.ts';
import type { LiveTable } from '../live/live-tables.ts';

/** What a census has to know of a table. */
export type CensusTable = Pick<LiveTable, 'schema' | 'name' | 'kind' | 'columns' | 'isText' | 'isShallow'>;

/** The tables of one schema. */
export interface CensusSchema {
  readonly schema: string;
  readonly checkpoints: CensusTable;
  /** Null where the schema has no such table. */
  readonly blobs: CensusTable | null;
  readonly writes: CensusTable | null;
}

/** Groups tables by schema, in their own order; a schema without checkpoints is left out, as a dump's is. */
export function censusSchemas(tables: readonly CensusTable[]): readonly CensusSchema[] {
  const names = [...new Set(tables.map(({ schema }) => schema))];
  return names.flatMap((schema): readonly CensusSchema[] => {
    const find = (kind: TableKind): CensusTable | null =>
      tables.find((table) => table.schema === schema && table.kind === kind) ?? null;
    const checkpoints = find('checkpoints');
    return checkpoints === null
      ? []
      : [{ schema, checkpoints, blobs: find('blobs'), writes: find('writes') }];
  });
}

/** Why no thread of the schema can be called ordinary; null where they can be told apart. */
export function whyAllTravel({ checkpoints, blobs, writes }: CensusSchema): AllTravel | null {
  if (checkpoints.isShallow || !checkpoints.columns.includes('parent_checkpoint_id')) return 'no-history';
  return blobs === null || writes === null || blobs.isShallow ? 'missing-table' : null;
}

/** See {@link whyAllTravel}. */
export type AllTravel = 'no-history' | 'missing-table';

/** The table's name, quoted. */
export function tableSql({ schema, name }: CensusTable): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

/** A column as text. A cast keeps an index from being used, so text columns get none. */
export function textSql(table: CensusTable, alias: string, column: 'thread_id' | IdColumn): string {
  return table.isText(column) ? `${alias}.${column}` : `${alias}.${column}::text`;
}

type IdColumn = 'checkpoint_ns' | 'checkpoint_id' | 'parent_checkpoint_id' | 'channel';
