/**
 * A row in JSON lines as the line of COPY text that Postgres would print for it, so that rows of every origin wait in
 * one form. Easy to get wrong: JSON text may hold tabs and line feeds only as escapes, but a thread id may hold any.
 */
import { invariant } from '#analysis/model/bug.ts';
import { copyEncoded } from './copy-text.ts';
import type { DumpSection } from './dump-tables.ts';
import { neutralData, type NeutralLine } from './neutral-rows.ts';
import { readColumns, tableLayout, type TableKind } from './table-layout.ts';

/** The sections that rows in JSON lines belong to; they know no schema. */
export function neutralSections(): ReadonlyMap<TableKind, DumpSection> {
  const names = { checkpoints: 'checkpoints', blobs: 'checkpoint_blobs', writes: 'checkpoint_writes' };
  const kinds: readonly TableKind[] = ['checkpoints', 'blobs', 'writes'];
  return new Map(
    kinds.map((kind) => {
      const layout = tableLayout(kind, readColumns[kind]);
      invariant('kind' in layout, 'what is read of a table is all that a layout needs');
      const name = { schema: null, table: names[kind] };
      return [kind, { name, place: { database: null, schema: '' }, kind, layout, rows: 0 }];
    }),
  );
}

/** The line for one row. *Fails* with OperatorError naming `place` and what is wrong with it. */
export function neutralCopyLine(
  line: string,
  place: () => string,
): { readonly table: TableKind; readonly copyLine: Buffer } {
  const { row, fields } = neutralData(line, place);
  const encoded = fieldsOf(fields).map((field) =>
    copyEncoded(typeof field === 'string' ? Buffer.from(field) : field),
  );
  const parts = encoded.flatMap((field, at) => [at === 0 ? '' : '\t', field]).slice(1);
  return {
    table: row.table,
    copyLine: Buffer.concat(
      [...parts, '\n'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    ),
  };
}

function fieldsOf(row: NeutralLine): readonly (string | Buffer | null)[] {
  const { thread_id: thread, checkpoint_ns: namespace } = row;
  switch (row.table) {
    case 'checkpoints':
      return [
        thread,
        namespace,
        row.checkpoint_id,
        row.parent_checkpoint_id,
        JSON.stringify(row.checkpoint ?? null),
        JSON.stringify(row.metadata ?? null),
      ];
    case 'checkpoint_blobs':
      return [thread, namespace, row.channel, row.version, row.type, bytea(row.blob)];
    case 'checkpoint_writes':
      return [
        thread,
        namespace,
        row.checkpoint_id,
        row.task_id,
        String(row.idx),
        row.channel,
        row.type,
        bytea(row.blob),
        row.task_path,
      ];
  }
}

function bytea(bytes: Buffer | null): string | null {
  return bytes === null ? null : `\\x${bytes.toString('hex')}`;
}
