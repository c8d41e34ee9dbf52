/**
 * Packs a dump with its truth and effect log into one small file that the analysis tests read: one JSON line per
 * thread, gzipped. Run by hand when a corpus is added:
 * `node dist/src/bench/pack-corpus.js <folder with NAME.dump, NAME.truth.json, NAME.effects.jsonl> <out.jsonl.gz>`.
 * Easy to get wrong: COPY text escapes (`\N` is NULL, `\\N` is text), so a thread id may look like either.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Columns = ReadonlyMap<string, string | null>;
type Loose = Readonly<Record<string, unknown>>;

interface Packed {
  readonly checkpoints: unknown[];
  readonly blobs: unknown[];
  readonly writes: unknown[];
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescape(field: string): string | null {
  if (field === '\\N') return null;
  return field.replace(/\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|[^])/g, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^x[0-9A-Fa-f]/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return escapes[code] ?? code;
  });
}

/** Rows of every COPY section of a plain dump, by table name without its schema. */
function* copyRows(sql: string): Generator<readonly [string, Columns]> {
  let table: string | null = null;
  let columns: string[] = [];
  for (const line of sql.split('\n')) {
    if (table === null) {
      const copy = /^COPY (?:"?\w+"?\.)?"?(\w+)"? \((.*)\) FROM stdin;$/.exec(line);
      if (copy?.[1] === undefined || copy[2] === undefined) continue;
      table = copy[1];
      columns = copy[2].split(', ');
    } else if (line === '\\.') table = null;
    else {
      const fields = line.split('\t').map(unescape);
      yield [table, new Map(columns.map((column, at) => [column, fields[at] ?? null]))];
    }
  }
}

const base64 = (bytea: string | null): string | null =>
  bytea === null ? null : Buffer.from(bytea.slice(2), 'hex').toString('base64');

function packRow(table: string, row: Columns, into: Packed): void {
  const checkpoint = row.get('checkpoint');
  if (table === 'checkpoints' && typeof checkpoint === 'string') {
    const parsed = JSON.parse(checkpoint) as { id: string };
    into.checkpoints.push([
      row.get('checkpoint_ns'),
      row.get('checkpoint_id') ?? parsed.id,
      row.get('parent_checkpoint_id') ?? null,
      parsed,
      JSON.parse(row.get('metadata') ?? '{}'),
    ]);
  } else if (table === 'checkpoint_blobs') {
    const value = base64(row.get('blob') ?? null);
    into.blobs.push([
      row.get('checkpoint_ns'),
      row.get('channel'),
      row.get('version') ?? '',
      row.get('type'),
      value,
    ]);
  } else if (table === 'checkpoint_writes') {
    const value = base64(row.get('blob') ?? null);
    const path = row.get('task_path') ?? null;
    const key = ['checkpoint_ns', 'checkpoint_id', 'task_id', 'idx', 'channel', 'type'].map((name) =>
      row.get(name),
    );
    into.writes.push([...key, value, path]);
  }
}

/** What the tests compare with, and no more. */
function trimNamespace(namespace: Loose): Loose {
  const kept = [
    'checkpoint_count',
    'forks',
    'roots',
    'leaves',
    'head',
    'head_counts',
    'head_lineage_length',
    'dangling_parents',
    'shared_versions',
  ];
  const checkpoints = (namespace['checkpoints'] ?? []) as readonly Loose[];
  const writers = checkpoints.flatMap((row) => {
    const run = (row['written_by'] as Loose | null | undefined)?.['run'];
    return run === undefined ? [] : [[row['checkpoint_id'], run]];
  });
  const misread = ((namespace['misread'] ?? []) as readonly Loose[]).map((leaf) => ({
    checkpoint_id: leaf['checkpoint_id'],
    equal: [leaf['equal'], leaf['receipts_equal'], leaf['messages_equal']].every((flag) => flag !== false),
  }));
  return { ...Object.fromEntries(kept.map((key) => [key, namespace[key]])), misread, writers };
}

function trimThread(truth: Loose): Loose {
  const namespaces = Object.entries((truth['namespaces'] ?? {}) as Readonly<Record<string, Loose>>);
  const runs = ((truth['runs'] ?? []) as readonly Loose[]).map(({ run, outcome, returned }) => ({
    run,
    outcome,
    returned: returned ?? null,
  }));
  return {
    case: truth['case'] ?? null,
    description: truth['description'] ?? null,
    executed: truth['executed'] ?? {},
    next: (truth['library_view'] as Loose | undefined)?.['next'] ?? null,
    runs,
    namespaces: namespaces.map(([name, namespace]) => [name, trimNamespace(namespace)]),
  };
}

function pack(folder: string): string {
  const dump = readdirSync(folder).find((name) => name.endsWith('.dump') && !name.endsWith('.z0.dump'));
  if (dump === undefined) throw new Error(`${folder}: no .dump file`);
  const name = dump.slice(0, -'.dump'.length);
  const sql = execFileSync('pg_restore', ['-f', '-', join(folder, dump)], { maxBuffer: 1 << 30 }).toString(
    'utf8',
  );
  const threads = new Map<string, Packed & { effects: unknown[] }>();
  const thread = (id: string): Packed & { effects: unknown[] } => {
    const known = threads.get(id);
    if (known !== undefined) return known;
    const fresh = { checkpoints: [], blobs: [], writes: [], effects: [] };
    threads.set(id, fresh);
    return fresh;
  };
  for (const [table, row] of copyRows(sql)) {
    const id = row.get('thread_id');
    if (typeof id === 'string') packRow(table, row, thread(id));
  }
  for (const line of readFileSync(join(folder, `${name}.effects.jsonl`), 'utf8').split('\n')) {
    if (line === '') continue;
    const { thread: id, ...effect } = JSON.parse(line) as { thread: string };
    thread(id).effects.push(effect);
  }
  const truth = JSON.parse(readFileSync(join(folder, `${name}.truth.json`), 'utf8')) as { threads: Loose[] };
  const truths = new Map(truth.threads.map((entry) => [entry['thread_id'] as string, trimThread(entry)]));
  for (const id of truths.keys()) thread(id);
  const lines = [...threads].map(([id, rows]) =>
    JSON.stringify({ thread: id, ...rows, truth: truths.get(id) ?? null }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) {
  process.stderr.write('usage: pack-corpus <folder> <out.jsonl.gz>\n');
  process.exitCode = 64;
} else writeFileSync(out, gzipSync(pack(folder), { level: 9 }));
