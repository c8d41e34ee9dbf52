import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../cli/exit-code.ts';
import { Workplace } from '../cli/testing/program.ts';
import { fixture } from '../dump/testing/read-all.ts';
import type { DatabaseServer } from '../postgres/database-server.ts';
import { parseDsn } from '../postgres/dsn.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { withClient } from '../postgres/with-client.ts';
import { loadSet } from './testing/load-dump.ts';

let watchdog: Watchdog;
let server: DatabaseServer;
let place: Workplace;
let dsn: string;

beforeAll(async () => {
  place = await Workplace.open();
  watchdog = startWatchdog();
  server = await startEmbeddedServer({ watchdog });
  dsn = await loadSet(server.dsn, 'shop', 'race-js');
});
afterAll(async () => {
  await server.stop();
  await watchdog.close();
  await place.close();
});

interface Report {
  readonly source: { readonly kind: string; readonly name: string };
  readonly threads: readonly { readonly thread: string }[];
}

function reportIn(stdout: string): Report {
  const { threads, ...rest } = JSON.parse(stdout) as Report;
  return { ...rest, threads: threads.toSorted((one, other) => (one.thread < other.thread ? -1 : 1)) };
}

test('a database and a dump of it give one report and one exit code, apart from their names', async () => {
  const live = await place.run('audit', dsn, '--format', 'json', '--all-threads');
  const dump = await place.run('audit', fixture('race-js.sql.gz'), '--format', 'json', '--all-threads');
  const [ofLive, ofDump] = [reportIn(live.stdout), reportIn(dump.stdout)];
  expect(ofLive.source.kind).toBe('database');
  expect({ ...ofLive, source: null }).toEqual({ ...ofDump, source: null });
  expect(live.code).toBe(dump.code);
  expect(live.stderr).toBe('');
  expect(live.stdout).not.toContain(parseDsn(dsn)?.password);
});

/** How many sessions of audits wait for a lock. Asked outside the locking transaction, which would see one answer for ever. */
async function waiting(): Promise<number | null> {
  return withClient(dsn, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM pg_stat_activity WHERE application_name = 'forkscope' AND wait_event_type = 'Lock'",
    );
    return rowCount;
  });
}

test('Ctrl-C while a lock is waited for ends the audit here and in the server', async () => {
  await withClient(dsn, async (client) => {
    await client.query('BEGIN; LOCK TABLE checkpoints IN ACCESS EXCLUSIVE MODE');
    const audit = place.start(['audit', dsn, '--lock-timeout', '0']);
    while ((await waiting()) === 0) await delay(20);
    audit.child.kill('SIGINT');
    const { code, stderr } = await audit.ended;
    expect({ code, stderr }).toEqual({ code: exitCodes.interrupted, stderr: 'forkscope: interrupted\n' });
    expect(await waiting()).toBe(0);
  });
});

test('the newest thread alone, of what was active in a window', async () => {
  const { stdout } = await place.run(
    'audit',
    dsn,
    '--format=json',
    '--all-threads',
    '--limit=1',
    '--since=9999d',
  );
  expect(reportIn(stdout).threads).toHaveLength(1);
  const none = await place.run('audit', dsn, '--format=json', '--all-threads', '--until=2001-01-01');
  expect(reportIn(none.stdout).threads).toEqual([]);
});
