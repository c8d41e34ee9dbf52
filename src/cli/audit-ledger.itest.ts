/** `forkscope audit` joined with a ledger of runs and with what is known of who is at work, from a dump and live. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '#src/dump/testing/read-all.ts';
import { loadSet } from '#src/live/testing/load-dump.ts';
import type { DatabaseServer } from '#src/postgres/database-server.ts';
import { startEmbeddedServer } from '#src/postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '#src/postgres/watchdog.ts';
import { withClient } from '#src/postgres/with-client.ts';
import { exitCodes } from './exit-code.ts';
import { AuditPlace } from './testing/audit-place.ts';
import type { AuditReport, ThreadJson } from './testing/audit-report.ts';

let audit: AuditPlace;
let watchdog: Watchdog;
let server: DatabaseServer;
beforeAll(async () => {
  audit = await AuditPlace.open();
  watchdog = startWatchdog();
  server = await startEmbeddedServer({ watchdog });
});
afterAll(async () => {
  await server.stop();
  await watchdog.close();
  await audit.close();
});

type Reported = ThreadJson & {
  readonly ledger?: Readonly<Record<string, number>>;
  readonly statusReason?: { readonly cause: string };
};
interface Joined {
  readonly ledger?: Readonly<Record<string, unknown>>;
  readonly standing?: { readonly asOf: { readonly time: string; readonly origin: string } | null };
}

async function report(...args: readonly string[]): Promise<AuditReport & Joined> {
  return audit.json(...args);
}

function threadOf({ threads }: AuditReport, name: string): Reported {
  const thread = threads.find((held) => held.thread === name);
  if (thread === undefined) throw new Error(`no thread ${name}`);
  return thread;
}

const kindsOf = ({ findings }: ThreadJson): readonly string[] => findings.map(({ kind }) => kind);

/** One run of each kind, beside a set whose threads are all over and store no run ids. */
const header = 'id,session,state,queued_at,beat,tries';
const runs = [
  ['done', 'race-00', 'success', '2026-11-01T00:00:00Z', '', '1'],
  ['ghost', 'race-01', 'running', '2026-11-01T00:00:00Z', '', '1'],
  ['late', 'race-02', 'running', '2026-12-01T00:00:00Z', '', '1'],
  ['gone', 'never-seen', 'queued', '2026-12-01T00:00:00Z', '', '0'],
  ['young', 'just-now', 'queued', '2026-12-01T00:09:30Z', '', '0'],
  ['bad', 'race-03', 'failed', '2026-11-01T00:00:00Z', '', '5'],
  ['either', 'race-04', 'success', '2026-11-01T00:00:00Z', '', '1'],
  ['other', 'race-04', 'running', '2026-11-01T00:00:00Z', '', '1'],
];
const csv = [header, ...runs.map((run) => run.join(','))].join('\n');
const map = [
  '--ledger-map',
  'run=id,thread=session,status=state',
  '--ledger-map',
  'created=queued_at,heartbeat=beat,attempts=tries',
];
const asOf = ['--as-of', '2026-12-01T00:10:00Z'];

function expectJoined(joined: AuditReport & Joined): void {
  expect(joined.verdict).toBe('invalid');
  expect(joined.totals['ledger']).toEqual({
    ended: 2,
    ghost: 1,
    vanished: 2,
    waiting: 1,
    poison: 1,
    undetermined: 1,
  });
  expect(joined.totals.findings).toMatchObject({ 'vanished-run': 2, 'ghost-run': 1, poison: 1 });
  expect(threadOf(joined, 'never-seen')).toMatchObject({
    ...{ namespaces: [], verdict: 'invalid', status: 'no-rows', ledger: { vanished: 1 } },
    findings: [{ kind: 'vanished-run', severity: 'error', witness: ['gone'] }],
  });
  expect(kindsOf(threadOf(joined, 'race-02'))).toContain('vanished-run');
  expect(threadOf(joined, 'just-now')).toMatchObject({ verdict: 'unknown', findings: [] });
  expect(threadOf(joined, 'race-04').ledger).toEqual({ ended: 1, undetermined: 1 });
  expect(kindsOf(threadOf(joined, 'race-05'))).toContain('unledgered-run');
}

test('a file beside a dump and a table beside the rows tell the same of every run', async () => {
  const file = audit.files.write('ledger.csv', csv);
  const ofDump = await report(fixture('race-js.sql.gz'), '--ledger', file, ...map, ...asOf);
  expectJoined(ofDump);
  expect(ofDump.standing?.asOf).toEqual({ time: '2026-12-01T00:10:00.000Z', origin: 'given' });

  const dsn = await loadSet(server.dsn, 'ledger', 'race-js');
  await withClient(dsn, async (client) => {
    await client.query(`CREATE SCHEMA "App"; CREATE TYPE state AS ENUM ('success', 'running', 'queued', 'failed');
      CREATE TABLE "App".runs (id text, session text, state state, queued_at timestamptz, beat timestamp, tries int)`);
    for (const run of runs) {
      const values = run.map((value) => (value === '' ? null : value));
      await client.query('INSERT INTO "App".runs VALUES ($1, $2, $3, $4, $5, $6)', values);
    }
  });
  const live = await report(dsn, '--ledger', 'table:App.runs', ...map, ...asOf);
  expectJoined(live);
  expect(live.threads.map(({ thread }) => thread).sort()).toEqual(
    ofDump.threads.map(({ thread }) => thread).sort(),
  );
  expect(live.ledger).toEqual({ ...ofDump.ledger, name: 'table App.runs' });

  const table = ['--ledger', 'table:runs', ...map];
  const [chosen, now, none, other] = await Promise.all([
    report(dsn, ...table, ...asOf, '--limit', '1'),
    report(dsn, ...table, '--thread', 'race-01'),
    audit.run(dsn, '--ledger', 'table:jobs'),
    audit.run(dsn, '--ledger', 'table:runs'),
  ]);
  // A filter chooses among threads, and what it leaves out is not without rows.
  const told = chosen.threads.map(({ thread }) => thread).filter((thread) => thread.startsWith('race-'));
  expect(told).toHaveLength(1);
  expect(now.standing?.asOf?.origin).toBe('server');
  expect(now.threads.map(kindsOf)).toEqual([expect.arrayContaining(['ghost-run'])]);
  expect(none.code).toBe(exitCodes.failure);
  expect(none.stderr).toContain('there is no such table (table jobs)');
  expect(other.stderr).toContain("the ledger's run is not known: it has no field run_id (table App.runs)");
});

describe('beside a dump', () => {
  test('ages are counted to the newest time in rows and ledger, whichever thread is asked for', async () => {
    const file = audit.files.write(
      'old.csv',
      'run_id,thread_id,status,created_at\nr,gone,running,2026-01-01T00:00Z\n',
    );
    const [all, one, text] = await Promise.all([
      report(fixture('race-js.sql.gz'), '--ledger', file),
      report(fixture('race-js.sql.gz'), '--ledger', file, '--thread', 'gone'),
      audit.run(fixture('race-js.sql.gz'), '--ledger', file),
    ]);
    expect(all.standing?.asOf).toEqual({ time: '2026-11-30T21:37:17.990Z', origin: 'newest' });
    expect(one.standing).toEqual(all.standing);
    expect(one.threads).toEqual([threadOf(all, 'gone')]);
    expect(text.code).toBe(exitCodes.invalid);
    expect(text.stdout).toContain('1 run of 1 thread: 1 vanished');
  });

  test('leases, breakpoints and age tell abandoned threads from those at work and paused', async () => {
    const rows = fixture('zoo-js.sql.gz');
    const open = (await report(rows)).threads.filter(({ status }) => status === 'indeterminate');
    const [first] = open;
    expect(open.length).toBeGreaterThan(1);
    const list = audit.files.write('active', `${first?.thread ?? ''}\n`);
    const [told, stopped, young] = await Promise.all([
      report(rows, '--active', list, '--breakpoints='),
      report(rows, '--active', list, '--breakpoints', '*'),
      report(rows, '--active', list, '--breakpoints=', '--min-age', '52w'),
    ]);
    expect(threadOf(told, first?.thread ?? '')).toMatchObject({
      ...{ status: 'indeterminate', statusReason: { cause: 'in-flight' } },
    });
    const others = open.slice(1).map(({ thread }) => threadOf(told, thread));
    const abandoned = others.filter(({ status }) => status === 'abandoned');
    expect(abandoned.length).toBeGreaterThan(0);
    for (const thread of abandoned) expect(kindsOf(thread)).toContain('abandoned-thread');
    expect(stopped.threads.filter(({ status }) => status === 'abandoned').length).toBeLessThan(
      abandoned.length,
    );
    expect(young.threads.filter(({ status }) => status === 'abandoned')).toEqual([]);
    expect(young.standing?.asOf?.origin).toBe('newest');
  });

  test('names of runs and threads of a ledger are neutral in an anonymized report', async () => {
    const file = audit.files.write(
      'secret.csv',
      'run_id,thread_id,status,created_at\nrun-of-ann,ann,running,2026-01-01T00:00Z\n',
    );
    const { stdout } = await audit.run(
      fixture('race-js.sql.gz'),
      '--ledger',
      file,
      '--anonymize',
      '--format',
      'json',
    );
    expect(stdout).toContain('vanished-run');
    expect(stdout).not.toMatch(/\bann\b/);
    expect(stdout).not.toContain('secret');
  });
});
