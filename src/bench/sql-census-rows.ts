/**
 * Rows of ordinary JS threads for the census to work on, one thread in a thousand forked, made and loaded by COPY. Easy
 * to get wrong: rows come in the order of time, many threads at once, as a real table has them; loaded thread by
 * thread they would be grouped already.
 */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const stepsATurn = 6;
const channels = ['steps', 'receipts', 'branch:to:next'];
const nodes = ['plan', 'charge', 'notify', 'finish'];

/** Loads at least `wanted` checkpoints, with two and a half writes and blobs each; returns how many. *Cost*: a minute a million. */
export async function loadCensusRows(dsn: string, wanted: number): Promise<number> {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  const pool = new pg.Pool({ connectionString: dsn, max: 1 });
  await new PostgresSaver(pool).setup();
  await pool.end();
  const client = new pg.Client({ connectionString: dsn });
  await client.connect();
  const checkpoints = await copyRows(client, 'checkpoints', () => rowsOf(wanted, checkpointLine));
  await copyRows(client, 'checkpoint_writes', () => rowsOf(wanted, writeLines));
  await copyRows(client, 'checkpoint_blobs', () => rowsOf(wanted, blobLines));
  // An audited table was vacuumed at some time; a fresh one is read with every row's visibility looked up.
  await client.query('VACUUM ANALYZE');
  await client.end();
  return checkpoints;
}

async function copyRows(
  client: pg.Client,
  table: string,
  rows: () => Iterable<readonly string[]>,
): Promise<number> {
  const stream = client.query(copyFrom(`COPY public.${table} FROM STDIN`));
  let count = 0;
  for (const lines of rows()) {
    count += lines.length;
    if (lines.length > 0 && !stream.write(`${lines.join('\n')}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
  return count;
}

interface Place {
  readonly thread: string;
  readonly number: number;
  readonly step: number;
}

/** Rows in the order of time: 64 threads take turns. Threads have one to five turns of six checkpoints. */
function* rowsOf(wanted: number, linesOf: (place: Place) => readonly string[]): Generator<readonly string[]> {
  for (let made = 0, first = 0; made < wanted; first += 64) {
    for (let step = -1; step < 5 * stepsATurn - 1; step++) {
      for (let number = first; number < first + 64; number++) {
        if (step + 1 >= stepsATurn * (1 + ((number * 7919) % 5))) continue;
        made += 1;
        yield linesOf({ thread: threadOf(number), number, step });
      }
    }
  }
}

function threadOf(number: number): string {
  const scattered = Math.imul(number, 0x9e3779b1) >>> 0;
  const hex = scattered.toString(16).padStart(8, '0');
  return `${hex}-4a1c-4b7e-9d2f-${number.toString(16).padStart(12, '0')}`;
}

/** Version-6 ids: time first, the step as clock sequence, as LangGraph JS makes them. */
function idOf({ number, step }: Pick<Place, 'number' | 'step'>, branch = 0): string {
  const ticks = (
    0x1f1_0000_0000_0000n +
    BigInt(number) * 40_000_000n +
    BigInt((step + 1) * 3_000_000 + branch)
  )
    .toString(16)
    .padStart(15, '0');
  const sequence = step < 0 ? 'ffff' : (0x8000 + step).toString(16);
  return `${ticks.slice(0, 8)}-${ticks.slice(8, 12)}-6${ticks.slice(12)}-${sequence}-${number.toString(16).padStart(12, '0')}`;
}

function checkpointLine(place: Place): readonly string[] {
  const { thread, number, step } = place;
  const parent = step < 0 ? '\\N' : idOf({ number, step: step - 1 });
  const version = step + 2;
  const seen = Object.fromEntries(nodes.map((node) => [node, { [`branch:to:${node}`]: version }]));
  const state = ['messages', 'booking', 'customer', 'amount', 'currency', 'steps', 'receipts', '__start__'];
  const minted = [...state, ...nodes.map((node) => `branch:to:${node}`)];
  const line = (id: string): string =>
    [
      thread,
      '',
      id,
      parent,
      '\\N',
      JSON.stringify({
        v: 4,
        id,
        ts: '2026-11-30T18:00:00.000Z',
        versions_seen: { __input__: {}, __start__: { __start__: version }, ...seen },
        channel_versions: Object.fromEntries(minted.map((channel) => [channel, version])),
      }),
      JSON.stringify({
        source: (step + 1) % stepsATurn === 0 ? 'input' : 'loop',
        step,
        parents: {},
        thread_id: thread,
      }),
    ].join('\t');
  const forks = number % 1000 === 0 && step === 2;
  return forks ? [line(idOf(place)), line(idOf(place, 1))] : [line(idOf(place))];
}

function writeLines(place: Place): readonly string[] {
  const { thread, number, step } = place;
  // The last row of a turn has run nothing yet.
  if ((step + 2) % stepsATurn === 0) return [];
  const task = `5f0c${number.toString(16).padStart(4, '0')}-${(step + 1).toString(16).padStart(4, '0')}-5000-8000-000000000000`;
  return channels.map((channel, index) =>
    [thread, '', idOf(place), task, String(index), channel, 'json', '\\\\x5b22706c616e225d'].join('\t'),
  );
}

function blobLines({ thread, step }: Place): readonly string[] {
  if ((step + 1) % stepsATurn === 0) return [];
  return channels.map((channel) =>
    [thread, '', channel, String(step + 2), 'json', `\\\\x${'5b22706c616e225d'.repeat(20)}`].join('\t'),
  );
}
