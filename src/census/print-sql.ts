/**
 * What an audit by SQL asks, as a script for psql: the same text the program sends, with its transaction around it.
 * Easy to get wrong: a schema's name is the operator's to choose and goes into comments too, where a line feed in it
 * would end the comment.
 */
import { readColumns } from '../dump/table-layout.ts';
import { printable } from '../report/printable.ts';
import { collisionsSql, forksSql } from './by-hand-sql.ts';
import { censusSql, sessionSettings } from './census-sql.ts';
import { censusSchemas, whyAllTravel, type CensusSchema, type CensusTable } from './census-tables.ts';
import { marks } from './marks.ts';

/** The script, with a final line feed. Runs as it is: `psql -f`. */
export function printSql(tables: readonly CensusTable[]): string {
  return [
    '-- What forkscope asks the database itself. Reads only, and needs SELECT on the three tables.',
    'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;',
    ...sessionSettings.map(([name, value]) => `SET LOCAL ${name} = ${value};`),
    ...censusSchemas(tables).flatMap(schemaScript),
    'ROLLBACK;',
    '',
  ].join('\n');
}

function schemaScript(schema: CensusSchema): readonly string[] {
  const name = printable(schema.schema, 100);
  return [
    '',
    `-- Schema ${name}: threads that are not proved ordinary, with the reasons; and one row of totals, without a thread.`,
    ...Object.entries(marks).map(([mark, meaning]) => `--   ${mark}: ${meaning}`),
    `${censusSql(schema)};`,
    ...(whyAllTravel(schema) === 'no-history' ? [] : byHand(schema.checkpoints, name)),
  ];
}

function byHand(checkpoints: CensusTable, name: string): readonly string[] {
  return [
    '',
    `-- Schema ${name}, for a look by hand: each fork. The program finds them in the threads above.`,
    `${forksSql(checkpoints)};`,
    '',
    `-- Schema ${name}, for a look by hand: each (channel, version) that branches of one namespace minted independently.`,
    `${collisionsSql(checkpoints)};`,
  ];
}

/** LangGraph's own tables in a schema, for a script made without a database. */
export function usualTables(schema: string): readonly CensusTable[] {
  const table = { schema, isText: () => true, isShallow: false };
  return [
    {
      ...table,
      name: 'checkpoints',
      kind: 'checkpoints',
      columns: readColumns.checkpoints,
    },
    {
      ...table,
      name: 'checkpoint_blobs',
      kind: 'blobs',
      columns: readColumns.blobs,
    },
    {
      ...table,
      name: 'checkpoint_writes',
      kind: 'writes',
      columns: readColumns.writes.filter((column) => column !== 'task_path'),
    },
  ];
}
