/**
 * What damaged inputs are made from: small texts of every form that the reader takes. Easy to get wrong: a fault in one
 * row of thousands is met rarely, so real dumps are cut down to a few threads of different kinds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packageRoot } from '../../package-root.ts';
import {
  blobColumns,
  checkpointColumns,
  checkpointFields,
  checkpointSection,
  copySection,
  wholeDump,
  writeColumns,
} from './small-dump.ts';

/** Packed bytes of a fixture, also where this file was built: fixtures are not. */
function fixtureText(name: string): string {
  return gunzipSync(readFileSync(join(packageRoot, 'src/dump/fixtures', name))).toString('latin1');
}

/** A plain dump with the rows of its threads number 0, `step`, 2 × `step`, … only; four at most. */
function cutDown(name: string, step: number): Buffer {
  const lines = fixtureText(name).split('\n');
  const threads = [...new Set(lines.flatMap((line) => threadOf(line) ?? []))];
  const kept = new Set(threads.filter((_, position) => position % step === 0).slice(0, 4));
  const rest = lines.filter((line) => {
    const thread = threadOf(line);
    return thread === null || kept.has(thread);
  });
  return Buffer.from(rest.join('\n'), 'latin1');
}

function threadOf(line: string): string | null {
  const end = line.indexOf('\t');
  return end < 0 ? null : line.slice(0, end);
}

const blob = ['t1', '', '__pregel_tasks', '2', 'json', '\\x5b5d'];
const write = ['t1', '', 'c1', 'task', '-3', '__interrupt__', 'json', '\\x5b5d'];

function smallCopy(): string {
  return wholeDump(
    "SET client_encoding = 'UTF8';\nSELECT pg_catalog.set_config('search_path', '', false);\n",
    "/* a ; comment */ COMMENT ON TABLE public.checkpoints IS 'it''s \";';\n",
    copySection('public.checkpoint_blobs', blobColumns, [blob]),
    copySection('public.checkpoint_writes', `${writeColumns}, task_path`, [[...write, '~p']]),
    copySection('public.notes', 'body', [['\\.'], ['COPY public.checkpoints FROM stdin;\n']]),
    copySection('public.checkpoints', checkpointColumns, [
      checkpointFields('t1'),
      checkpointFields('t1', 'c2', 'c1'),
      checkpointFields('t1', 'c3', 'c1'),
      checkpointFields('ä\t2'),
    ]),
  );
}

function smallSchemas(): string {
  return wholeDump(
    "ALTER TABLE ONLY public.checkpoints ATTACH PARTITION public.part_a FOR VALUES IN ('a');\n",
    checkpointSection('public.part_a', 't1', 't2'),
    checkpointSection('"Odd.Schema"."checkpoints"', 't1'),
    'SET search_path = agents, pg_catalog;\n',
    checkpointSection('checkpoints', 't1'),
    copySection('checkpoint_writes', writeColumns, [write]),
  );
}

function smallInserts(): string {
  const values = `'t1', '', 'c1', NULL, NULL, '{"v": 4, "id": "c1", "channel_versions": {}, "versions_seen": {}}', '{"step": -1}'`;
  return wholeDump(
    `CREATE TABLE public.checkpoints (${checkpointColumns.replaceAll(',', ' text,')} jsonb);`,
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; END;',
    `INSERT INTO public.checkpoints VALUES (${values}), (${values.replace('t1', "t''2")});`,
    `INSERT INTO public.checkpoint_blobs (${blobColumns}) VALUES ('t1', '', 's', '1', E'json', $a$\\x5b5d$a$::bytea);`,
    `INSERT INTO public.checkpoint_writes VALUES ('t1', '', 'c1', 'k', -1, '__error__', 'json', '\\x7b7d', '~p');\n`,
  );
}

function smallRows(): string {
  const checkpoint = { v: 4, id: 'c1', channel_versions: { steps: 2 }, versions_seen: {} };
  const metadata = { source: 'input', step: -1, parents: {} };
  const row = { table: 'checkpoints', thread_id: 't1', checkpoint_ns: '', checkpoint, metadata };
  const lines = [
    { ...row, checkpoint_id: 'c1', parent_checkpoint_id: null },
    { ...row, checkpoint_id: 'c2', parent_checkpoint_id: 'c1' },
    { table: 'checkpoint_blobs', thread_id: 't1', channel: 'steps', version: 2, type: 'json', blob: 'W10=' },
    {
      table: 'checkpoint_writes',
      thread_id: 't1',
      checkpoint_id: 'c1',
      task_id: 'k',
      idx: -1,
      channel: '__error__',
      type: 'json',
      blob: 'W10=',
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The texts. *Cost*: unpacks a few fixtures; a hundred kilobytes in all. */
export function fuzzTexts(): readonly Buffer[] {
  return [
    Buffer.from(smallCopy()),
    Buffer.from(smallSchemas()),
    Buffer.from(smallInserts()),
    Buffer.from(smallRows()),
    gzipSync(smallCopy()),
    cutDown('shallow-py.sql.gz', 1),
    cutDown('race-js.sql.gz', 5),
    cutDown('zoo-py.sql.gz', 7),
    cutDown('zoo-py.sql.gz', 11),
    cutDown('zoo-js.sql.gz', 9),
    cutDown('oldschema-py.sql.gz', 1),
  ];
}
