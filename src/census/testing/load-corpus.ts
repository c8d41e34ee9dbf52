/**
 * For tests: the recorded corpus as real tables, one schema a set, as its savers would have made them. Easy to get
 * wrong: the packed columns keep stored values as base64, and a value that is NULL is not an empty one.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyEncoded } from '../../dump/copy-text.ts';

type Columns = readonly (string | null)[];

/** A thread as the corpus keeps it: rows by column. */
export interface PackedThread {
  readonly thread: string;
  readonly checkpoints: readonly (readonly [string, string, string | null, unknown, unknown])[];
  readonly blobs: readonly (readonly [string, string, string, string, string | null])[];
  readonly writes: readonly (readonly [
    string,
    string,
    string,
    string,
    string,
    string | null,
    string | null,
    string | null,
  ])[];
}

/** LangGraph's three tables in a schema, Python's newest form. */
export function tablesSql(schema: string): string {
  const at = pg.escapeIdentifier(schema);
  return `CREATE SCHEMA ${at};
    CREATE TABLE ${at}.checkpoints (thread_id text NOT NULL, checkpoint_ns text NOT NULL DEFAULT '',
      checkpoint_id text NOT NULL, parent_checkpoint_id text, type text, checkpoint jsonb NOT NULL,
      metadata jsonb NOT NULL DEFAULT '{}', PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
    CREATE TABLE ${at}.checkpoint_blobs (thread_id text NOT NULL, checkpoint_ns text NOT NULL DEFAULT '',
      channel text NOT NULL, version text NOT NULL, type text NOT NULL, blob bytea,
      PRIMARY KEY (thread_id, checkpoint_ns, channel, version));
    CREATE TABLE ${at}.checkpoint_writes (thread_id text NOT NULL, checkpoint_ns text NOT NULL DEFAULT '',
      checkpoint_id text NOT NULL, task_id text NOT NULL, idx integer NOT NULL, channel text NOT NULL, type text,
      blob bytea NOT NULL, task_path text NOT NULL DEFAULT '',
      PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));`;
}

/** A set of analysis/corpus, unpacked. */
export function corpusText(set: string): string {
  const file = new URL(`../../../analysis/corpus/${set}.jsonl.gz`, import.meta.url);
  return gunzipSync(readFileSync(file)).toString('utf8');
}

/** The threads of such a set. */
export function packedThreads(set: string): readonly PackedThread[] {
  return corpusText(set)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PackedThread);
}

/** Fills the tables of a schema with a set of analysis/corpus. */
export async function fillFromCorpus(client: pg.Client, schema: string, set: string): Promise<void> {
  await fillWith(client, schema, packedThreads(set));
}

/** Fills the tables of a schema. */
export async function fillWith(
  client: pg.Client,
  schema: string,
  threads: readonly PackedThread[],
): Promise<void> {
  const at = pg.escapeIdentifier(schema);
  await copyRows(
    client,
    `${at}.checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)`,
    threads.flatMap(({ thread, checkpoints }) =>
      checkpoints.map(([namespace, id, parent, checkpoint, metadata]): Columns => [
        thread,
        namespace,
        id,
        parent,
        JSON.stringify(checkpoint),
        JSON.stringify(metadata),
      ]),
    ),
  );
  await copyRows(
    client,
    `${at}.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)`,
    threads.flatMap(({ thread, blobs }) =>
      blobs.map(([namespace, channel, version, type, blob]): Columns => [
        thread,
        namespace,
        channel,
        version,
        type,
        hex(blob),
      ]),
    ),
  );
  await copyRows(
    client,
    `${at}.checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)`,
    threads.flatMap(({ thread, writes }) =>
      writes.map(([namespace, id, task, idx, channel, type, blob, path]): Columns => [
        thread,
        namespace,
        id,
        task,
        idx,
        channel,
        type,
        hex(blob) ?? '\\x',
        path ?? '',
      ]),
    ),
  );
}

function hex(base64: string | null): string | null {
  return base64 === null ? null : `\\x${Buffer.from(base64, 'base64').toString('hex')}`;
}

async function copyRows(client: pg.Client, into: string, rows: readonly Columns[]): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN`));
  for (const row of rows) {
    const fields = row.map((field) =>
      copyEncoded(field === null ? null : Buffer.from(field)).toString('latin1'),
    );
    stream.write(Buffer.from(`${fields.join('\t')}\n`, 'latin1'));
  }
  stream.end();
  await finished(stream);
}
