/**
 * The lines of a dump that are no SQL: comments, of which pg_dump writes some that matter, and psql's commands. Easy
 * to get wrong: `\restrict` and `\unrestrict` (pg_dump since August 2025) carry a random token and mean nothing here.
 */
import type { TableName } from './sql-literal.ts';

/** A comment of pg_dump that says something of the dump. */
export type Remark =
  | { readonly kind: 'header' }
  | { readonly kind: 'footer' }
  /** The data of this table follows, if only no rows. */
  | { readonly kind: 'table-data'; readonly table: TableName };

/** Reads one `--` line; null when it is no such comment. */
export function readRemark(line: string): Remark | null {
  if (line === '-- PostgreSQL database dump') return { kind: 'header' };
  if (line === '-- PostgreSQL database dump complete') return { kind: 'footer' };
  const data = tableData.exec(line)?.groups;
  if (data === undefined) return null;
  return { kind: 'table-data', table: { schema: data['schema'] ?? null, table: data['table'] ?? '' } };
}

const tableData = /^-- Data for Name: (?<table>.+?); Type: TABLE DATA; Schema: (?<schema>.+?); Owner: /;

/** `\connect`, the one command that changes what follows. */
export interface ConnectCommand {
  readonly kind: 'connect';
  readonly database: string;
}

/** Reads one line that begins with a backslash; null for all commands but `\connect`. */
export function readMetaCommand(line: string): ConnectCommand | null {
  const found = connect.exec(line)?.groups;
  if (found === undefined) return null;
  const quoted = found['quoted'];
  const database = quoted === undefined ? (found['plain'] ?? '') : quoted.replaceAll('""', '"');
  return { kind: 'connect', database: /dbname='?([^']*)'?/.exec(database)?.[1] ?? database };
}

const connect = /^\\(?:connect|c) (?:-reuse-previous=\w+ )?(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>\S+))/;
