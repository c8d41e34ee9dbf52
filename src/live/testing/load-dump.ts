/**
 * For tests: a recorded dump as a real database, loaded without psql. Easy to get wrong: a dump's COPY data may hold any
 * text, so it is found by lines and never touched.
 */
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { fixtureBytes } from '../../dump/testing/read-all.ts';
import { formatDsn, parseDsn } from '../../postgres/dsn.ts';
import { withClient } from '../../postgres/with-client.ts';

/** The connection string of another database, and of another role, on the same server. */
export function dsnOf(server: string, database: string, login?: { user: string; password: string }): string {
  const parsed = parseDsn(server);
  if (parsed === null) throw new Error('the server has a connection string');
  return formatDsn({ ...parsed, database, ...login });
}

/** Makes a database of a recorded set. `schema`: takes the place of `public`. */
export async function loadSet(
  server: string,
  database: string,
  set: string,
  schema = 'public',
): Promise<string> {
  const dsn = dsnOf(server, database);
  await withClient(server, async (client) => {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  });
  await withClient(dsn, async (client) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`);
    for (const part of partsOf(fixtureBytes(`${set}.sql.gz`).toString('latin1'))) {
      const sql = part.sql.replaceAll('public.', `${pg.escapeIdentifier(schema)}.`);
      if (part.data === null) await client.query(sql);
      else {
        const stream = client.query(copyFrom(sql));
        stream.end(Buffer.from(part.data, 'latin1'));
        await finished(stream);
      }
    }
    await client.query('ANALYZE');
  });
  return dsn;
}

interface Part {
  readonly sql: string;
  readonly data: string | null;
}

function partsOf(dump: string): readonly Part[] {
  const parts: Part[] = [];
  let sql: string[] = [];
  let data: string[] | null = null;
  for (const line of dump.split('\n')) {
    if (data !== null && line !== '\\.') data.push(line);
    else if (data !== null) {
      parts.push({ sql: sql.join('\n'), data: data.map((row) => `${row}\n`).join('') });
      [sql, data] = [[], null];
    } else if (/^COPY .* FROM stdin;$/.test(line)) {
      parts.push({ sql: sql.join('\n'), data: null });
      [sql, data] = [[line], []];
    } else if (!/^\\|^ALTER TABLE .* OWNER TO |^SET row_security/.test(line)) sql.push(line);
  }
  parts.push({ sql: sql.join('\n'), data: null });
  return parts;
}
