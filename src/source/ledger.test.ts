import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { parseLedgerMap } from './ledger-map.ts';
import { ledgerPhase, parseStatusWords } from './ledger-status.ts';
import { readLedgerFile, type Ledger } from './ledger.ts';
import { LogFolder } from './testing/log-files.ts';

const files = new LogFolder();
afterAll(() => {
  files[Symbol.dispose]();
});

const second = Date.parse('2026-11-30T10:00:01Z');
const csv = [
  'run_id,thread_id,status,created_at,heartbeat_at,attempts,note',
  'a,t1,running,2026-11-30T10:00:01Z,2026-11-30T10:00:05Z,2,x',
  '"b,1",t1,Timed-Out,1764496801,,,',
  'c,,pending,2026-11-30T10:00:00Z,,,',
  'd,t2,PARKED,,,,',
].join('\n');

function read(name: string, text: string | Uint8Array, map = '', words = ''): Promise<Ledger> {
  const reading = { map: parseLedgerMap([map]), words: parseStatusWords([words]) };
  return readLedgerFile(files.write(name, text), reading);
}

async function refusal(attempt: Promise<unknown>): Promise<OperatorError> {
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  if (error instanceof OperatorError) return error;
  throw new Error(`no refusal: ${String(error)}`);
}

describe('a ledger', () => {
  test('is read from CSV with its usual names', async () => {
    const ledger = await read('ledger.csv', csv);
    expect(ledger.byThread.get('t1' as ThreadId)).toEqual([
      {
        ...{ run: 'a', thread: 't1', phase: 'running', status: 'running', attempts: 2 },
        ...{ createdMs: second, heartbeatMs: second + 4_000 },
      },
      {
        ...{ run: 'b,1', thread: 't1', phase: 'failed', status: 'Timed-Out', attempts: null },
        ...{ createdMs: 1_764_496_801_000, heartbeatMs: null },
      },
    ]);
    expect(ledger).toMatchObject({ runs: 3, threadless: 1, newestMs: second + 4_000 });
    expect(ledger.oldestMs).toBe(1_764_496_801_000);
    expect(ledger.unknownWords).toEqual(new Map([['PARKED', 1]]));
  });

  test('is the same as gzipped JSON lines under other names, one of them inside an object', async () => {
    const line = { id: 'a', t: { session: 't1' }, status: 'running', created_at: second / 1000, extra: [1] };
    const renamed = gzipSync(`${JSON.stringify(line)}\n`);
    const ledger = await read('ledger.jsonl.gz', renamed, 'run=id, thread=t.session');
    expect(ledger.byThread.get('t1' as ThreadId)).toMatchObject([
      { run: 'a', createdMs: second, attempts: null },
    ]);
    expect([...ledger.fields.keys()]).toEqual(['run', 'thread', 'status', 'created']);
  });

  test('that tells of a run line after line is taken at its last word', async () => {
    const lines = [
      { run_id: 'a', thread_id: 't', status: 'queued', created_at: second, attempts: 0 },
      {
        run_id: 'a',
        thread_id: 't',
        status: 'running',
        created_at: second + 5,
        heartbeat_at: second + 9,
        attempts: 1,
      },
      { run_id: 'a', thread_id: 't', status: 'success' },
    ];
    const ledger = await read('events.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(ledger.byThread.get('t' as ThreadId)).toMatchObject([
      { phase: 'succeeded', createdMs: second, heartbeatMs: second + 9, attempts: 1 },
    ]);
  });

  test('without records knows no run', async () => {
    const ledger = await read('none.csv', 'run_id,thread_id\n');
    expect(ledger).toMatchObject({ runs: 0, oldestMs: null, newestMs: null });
  });

  test.each([
    [
      'a thread nowhere',
      'run_id,session\na,t\n',
      '',
      "the ledger's thread is not known: it has no field thread_id",
    ],
    [
      'a mapped field nowhere',
      csv,
      'created=at',
      'no record has the field at, which --ledger-map names as the created',
    ],
    [
      'a time that is none',
      'run_id,thread_id,created_at\na,t,soon\n',
      '',
      "the field created_at does not decode as the run's created",
    ],
    [
      'a run without a name',
      'run_id,thread_id\n,t\n',
      '',
      "the field run_id does not decode as the run's run",
    ],
  ])('with %s is refused in words that say where', async (_, text, map, happened) => {
    const error = await refusal(read('refused.csv', text, map));
    expect(error.happened).toBe(happened);
    expect(error.place).toContain('refused.csv');
  });
});

describe('the words of a status', () => {
  test('are those of the usual queues, whatever their case and hyphens', () => {
    const own = parseStatusWords(['PARKED=waiting, running=paused']);
    expect(
      ['pending', 'In Progress', 'in-progress', 'interrupted', 'SUCCESS', 'revoked', 'odd', null].map(
        (word) => ledgerPhase(word, new Map()),
      ),
    ).toEqual(['waiting', 'running', 'running', 'paused', 'succeeded', 'cancelled', 'unknown', 'unsaid']);
    expect(['parked', 'Running', 'active'].map((word) => ledgerPhase(word, own))).toEqual([
      'waiting',
      'paused',
      'running',
    ]);
  });

  test('are refused with a meaning that is none', () => {
    expect(() => parseStatusWords(['a=b'])).toThrow('"a=b" is no word=meaning');
    expect(() => parseLedgerMap(['run=a,run=b'])).toThrow('--ledger-map names the key run twice.');
    expect(() => parseLedgerMap(['node=a'])).toThrow('the keys are run, thread, status');
  });
});
