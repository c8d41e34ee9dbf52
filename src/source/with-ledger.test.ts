import { afterAll, describe, expect, test } from 'vitest';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName, ThreadId } from '#analysis/model/identifiers.ts';
import { ledgerRun } from '#analysis/simulation/ledger-thread.ts';
import { readActiveThreads } from './ledger-active.ts';
import type { Ledger } from './ledger.ts';
import { usualQuestions, type Ledgers } from './ledgers.ts';
import type { Source } from './source.ts';
import { LogFolder } from './testing/log-files.ts';
import { withLedger } from './with-ledger.ts';

const files = new LogFolder();
afterAll(() => {
  files[Symbol.dispose]();
});

const everything = { threads: null, schema: null };

function source(threads: readonly string[], elsewhere: readonly string[] = []): Source {
  return {
    name: { kind: 'dump', name: 'test' },
    options: { rules: [] },
    elsewhere: new Set(elsewhere),
    nodes: null,
    // eslint-disable-next-line @typescript-eslint/require-await
    threads: async function* () {
      for (const thread of threads) {
        const rows = { thread: thread as ThreadId, schema: null, checkpoints: [], blobs: [], writes: [] };
        yield { rows, log: null, runs: null };
      }
    },
  };
}

function ledgers(threads: readonly string[], more: Partial<Ledgers> = {}): Ledgers {
  const byThread = new Map(
    threads.map((thread) => [thread as ThreadId, [ledgerRun({ thread: thread as ThreadId })]]),
  );
  const ledger: Ledger = {
    ...{ name: 'runs.csv', fields: new Map(), byThread, runs: threads.length, threadless: 0 },
    ...{ unknownWords: new Map(), oldestMs: 7, newestMs: 9 },
  };
  return { ledger, active: null, asOf: null, questions: usualQuestions, ...more };
}

async function told(joined: Source): Promise<readonly ThreadEvidence[]> {
  const evidence: ThreadEvidence[] = [];
  for await (const one of joined.threads()) evidence.push(one);
  return evidence;
}

describe('a source joined with a ledger', () => {
  test('gives each thread its runs, and threads that only the ledger knows last', async () => {
    const evidence = await told(withLedger(source(['a', 'b']), ledgers(['b', 'c']), everything));
    expect(evidence.map(({ rows, ledger }) => [rows.thread, ledger?.runs.length])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
    ]);
    expect(evidence.every(({ ledger, lease }) => ledger?.oldestMs === 7 && lease === undefined)).toBe(true);
  });

  test('leaves out threads that were not asked for, or that the source holds elsewhere', async () => {
    const all = ledgers(['a', 'b', 'c']);
    const wanted = { ...everything, threads: new Set(['a', 'c']) };
    const evidence = await told(withLedger(source(['a'], ['c']), all, wanted));
    expect(evidence.map(({ rows }) => rows.thread)).toEqual(['a']);
  });

  test('refuses runs of a thread that two schemas hold', async () => {
    await expect(told(withLedger(source(['a', 'a']), ledgers(['a']), everything))).rejects.toThrow(
      'two schemas hold the thread a, and the ledger does not say which its runs belong to',
    );
    expect(await told(withLedger(source(['b', 'b']), ledgers(['a']), everything))).toHaveLength(3);
  });

  test('asks what was asked, and nothing that was not', () => {
    expect(withLedger(source([]), ledgers([]), everything).options).toEqual({
      rules: [],
      nowMs: null,
      limits: usualQuestions.limits,
    });
    const questions = { ...usualQuestions, breakpoints: ['review' as NodeName], minAgeMs: 5 };
    const asOf = { ms: 42, origin: 'given' } as const;
    expect(withLedger(source([]), ledgers([], { questions, asOf }), everything).options).toMatchObject({
      ...{ nowMs: 42, breakpoints: ['review'], minAgeMs: 5 },
    });
  });
});

describe('the threads that are held', () => {
  const soon = Date.parse('2026-11-30T10:00:00Z');

  test.each([
    [
      'a list',
      'a\nb, with a comma\r\n',
      [
        ['a', null],
        ['b, with a comma', null],
      ],
    ],
    ['an empty list', '', []],
    [
      'CSV',
      'thread,expires_at\na,2026-11-30T10:00:00Z\nb,\n',
      [
        ['a', soon],
        ['b', null],
      ],
    ],
    ['one column of CSV', '"thread_id"\n"a"\n', [['a', null]]],
    [
      'JSON lines',
      '{"thread":"a","expires_at":1796032800}\n{"thread_id":"b"}\n',
      [
        ['a', soon],
        ['b', null],
      ],
    ],
  ])('are read from %s', async (_, text, leases) => {
    const active = await readActiveThreads(files.write('active', text));
    expect([...active.leases].map(([thread, { expiresMs }]) => [thread, expiresMs])).toEqual(leases);
  });

  test('are held as long as their longest lease', async () => {
    const csv = 'thread,expires_at\na,1796032800\na,1796032801\nb,1796032800\nb,\nb,1796032800\n';
    const { leases } = await readActiveThreads(files.write('twice.csv', csv));
    expect(leases.get('a' as ThreadId)).toEqual({ expiresMs: 1_796_032_801_000 });
    expect(leases.get('b' as ThreadId)).toEqual({ expiresMs: null });
  });

  test('join as leases: null where a list was given and does not name the thread', async () => {
    const active = { name: 'active', leases: new Map([['a' as ThreadId, { expiresMs: null }]]) };
    const joined = withLedger(source(['a', 'b']), { ...ledgers([]), ledger: null, active }, everything);
    expect((await told(joined)).map(({ lease, ledger }) => [lease, ledger])).toEqual([
      [{ expiresMs: null }, undefined],
      [null, undefined],
    ]);
  });

  test('are refused where a lease names no thread', async () => {
    await expect(readActiveThreads(files.write('bad.jsonl', '{"user":"a"}\n'))).rejects.toThrow(
      'the lease names no thread',
    );
  });
});
