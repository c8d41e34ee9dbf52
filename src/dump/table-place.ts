/** Where a set of LangGraph's tables stands, and what operators and reports call it. */

/** Where a table stands: several databases (pg_dumpall) and several schemas may each hold a set of the tables. */
export interface TablePlace {
  readonly database: string | null;
  readonly schema: string;
}

/** A place as operators and reports name it. */
export function placeName({ database, schema }: TablePlace): string {
  return database === null ? schema : `${database}.${schema}`;
}
