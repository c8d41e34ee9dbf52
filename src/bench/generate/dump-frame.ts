/**
 * What stands around the rows in a plain dump: settings, tables, COPY headers, keys. Easy to get wrong: pg_dump prints
 * all tables' data in the order of their names, blobs and writes before checkpoints.
 */

/** A table whose data a dump holds. */
export type DumpedTable = 'checkpoint_blobs' | 'checkpoint_migrations' | 'checkpoint_writes' | 'checkpoints';

interface TableShape {
  readonly columns: readonly (readonly [string, string])[];
  readonly key: string;
}

/** The restriction token; pg_dump draws one, this dump repeats its own. */
const token = 'Kf3bQmZt7Yw1LrVx9DsHcJ5pNa2GeUoT8iBqXk4MyRzWn6CvSdEjPhFgAlO0u1I';

function shapes(hasPath: boolean): ReadonlyMap<DumpedTable, TableShape> {
  const place = [
    ['thread_id', 'text NOT NULL'],
    ['checkpoint_ns', "text DEFAULT ''::text NOT NULL"],
  ] as const;
  const path = [['task_path', "text DEFAULT ''::text NOT NULL"]] as const;
  return new Map<DumpedTable, TableShape>([
    [
      'checkpoint_blobs',
      {
        columns: [
          ...place,
          ['channel', 'text NOT NULL'],
          ['version', 'text NOT NULL'],
          ['type', 'text NOT NULL'],
          ['blob', 'bytea'],
        ],
        key: 'thread_id, checkpoint_ns, channel, version',
      },
    ],
    ['checkpoint_migrations', { columns: [['v', 'integer NOT NULL']], key: 'v' }],
    [
      'checkpoint_writes',
      {
        columns: [
          ...place,
          ['checkpoint_id', 'text NOT NULL'],
          ['task_id', 'text NOT NULL'],
          ['idx', 'integer NOT NULL'],
          ['channel', 'text NOT NULL'],
          ['type', 'text'],
          ['blob', 'bytea NOT NULL'],
          ...(hasPath ? path : []),
        ],
        key: 'thread_id, checkpoint_ns, checkpoint_id, task_id, idx',
      },
    ],
    [
      'checkpoints',
      {
        columns: [
          ...place,
          ['checkpoint_id', 'text NOT NULL'],
          ['parent_checkpoint_id', 'text'],
          ['type', 'text'],
          ['checkpoint', 'jsonb NOT NULL'],
          ['metadata', "jsonb DEFAULT '{}'::jsonb NOT NULL"],
        ],
        key: 'thread_id, checkpoint_ns, checkpoint_id',
      },
    ],
  ]);
}

/** The text before, between and after the tables' data. */
export interface DumpFrame {
  readonly head: string;
  /** Up to and with the line `COPY …`. */
  readonly opening: (table: DumpedTable) => string;
  /** From `\.` on. */
  readonly closing: string;
  readonly foot: string;
}

/** The frame of a dump; `hasPath` says whether `checkpoint_writes` has the column `task_path`. */
export function dumpFrame(hasPath: boolean): DumpFrame {
  const tables = shapes(hasPath);
  const created = [...tables].map(([table, { columns }]) => {
    const fields = columns.map(([name, type]) => `    ${name} ${type}`).join(',\n');
    return `${title('', table, 'TABLE')}CREATE TABLE public.${table} (\n${fields}\n);\n\n\n`;
  });
  const keys = [...tables].map(
    ([table, { key }]) =>
      `${title('', `${table} ${table}_pkey`, 'CONSTRAINT')}ALTER TABLE ONLY public.${table}\n` +
      `    ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${key});\n\n\n`,
  );
  return {
    head: `${banner}\\restrict ${token}\n\n${settings}${created.join('')}`,
    opening: (table) => {
      const names = tables.get(table)?.columns.map(([name]) => name) ?? [];
      return `${title('Data for ', table, 'TABLE DATA')}COPY public.${table} (${names.join(', ')}) FROM stdin;\n`;
    },
    closing: '\\.\n\n\n',
    foot: `${keys.join('')}--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict ${token}\n\n`,
  };
}

function title(before: string, name: string, type: string): string {
  return `--\n-- ${before}Name: ${name}; Type: ${type}; Schema: public; Owner: -\n--\n\n`;
}

const banner = '--\n-- PostgreSQL database dump\n--\n\n';

const settings = `-- Dumped from database version 15.18
-- Dumped by pg_dump version 15.18

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

`;
