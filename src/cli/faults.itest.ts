/**
 * What happens when something dies or is refused in mid-series: a counted abort or an operator error, what was seen is
 * kept, and nothing is left behind. Faults are real: signals, a stopped server, a taken port, a full disk.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '#src/postgres/embedded-server.ts';
import { startWatchdog } from '#src/postgres/watchdog.ts';
import { Workplace } from './testing/program.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(async () => {
  const left = await place.leftovers();
  await place.close();
  expect(left).toEqual([]);
});

/** Slow enough that a fault always comes in mid-series. */
const long = ['race', '--workers', '2', '-n', '60', '--parallel', '4', '--scale', '0.3'];
const completed = (line: string) => line.includes('"event":"completed"');

interface Series {
  readonly phase: string;
  readonly arms: readonly {
    readonly trials: number;
    readonly completed: number;
    readonly aborted: number;
    readonly abortReasons: readonly { readonly reason: string }[];
  }[];
}
const series = (): Series =>
  JSON.parse(readFileSync(join(place.out, 'latest', 'series.json'), 'utf8')) as Series;

describe('a fault in mid-series', () => {
  it('SIGKILL of a worker: its trials are aborted and counted apart, a new worker takes its place', async () => {
    const running = place.start([
      'race',
      '-n',
      '12',
      '--parallel',
      '4',
      '--scale',
      '0.3',
      '--out',
      place.out,
    ]);
    await place.history(running, completed);
    const [victim] = place.processes('src/worker/main');
    process.kill(victim ?? 0, 'SIGKILL');
    const { code, stdout, stderr } = await running.ended;
    expect(stderr).toContain(`(pid ${String(victim)}) died with signal SIGKILL`);
    expect(code).toBe(1);
    const [arm] = series().arms;
    expect(arm?.trials).toBe(12);
    expect(arm?.aborted).toBeGreaterThanOrEqual(1);
    expect((arm?.completed ?? 0) + (arm?.aborted ?? 0)).toBe(12);
    for (const { reason } of arm?.abortReasons ?? []) expect(reason).toContain('signal SIGKILL');
    expect(stdout).toContain('died before it could say how many records it wrote');
    expect(stdout).not.toContain('unlogged-execution');
  });

  it('SIGKILL of the primary: nothing is left, and what was finished can be audited', async () => {
    const running = place.start([...long, '--out', place.out]);
    await place.history(running, completed);
    running.child.kill('SIGKILL');
    expect((await running.ended).signal).toBe('SIGKILL');
    expect(await place.leftovers()).toEqual([]);
    const audit = await place.run('audit', join(place.out, 'latest'), '--format', 'json');
    expect(audit.code).toBe(1);
    expect(
      (JSON.parse(audit.stdout) as { totals: { undeclaredForks: number } }).totals.undeclaredForks,
    ).toBeGreaterThanOrEqual(1);
  });

  it('SIGINT: exit code 130, and the run directory is named and kept', async () => {
    const running = place.start([...long, '--out', place.out]);
    await place.history(running, completed);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('the series was interrupted');
    expect(series().phase).toBe('stopped');
  });

  it('SIGTERM while everything is still starting: exit code 130', async () => {
    const running = place.start([...long, '--out', place.out]);
    while (place.processes('src/worker/main').length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(130);
  });

  it('a stop of the database: an operator error that says so and where the finished trials are', async () => {
    const running = place.start([...long, '--out', place.out]);
    await place.history(running, completed);
    for (const pid of place.postmasters()) process.kill(pid, 'SIGQUIT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(70);
    expect(stderr).toMatch(/Postgres|database/);
    expect(stderr).not.toContain('has a bug');
    expect(series().phase).toBe('stopped');
  });
});

describe('a series that cannot start', () => {
  it('names a port that is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    const { code, stderr } = await place.run(
      'race',
      '-n',
      '1',
      '--workers',
      '2',
      '--port',
      String(port),
      '--out',
      place.out,
    );
    holder.close();
    expect(code).toBe(70);
    expect(stderr).toContain(`EADDRINUSE 127.0.0.1:${port}`);
    expect(stderr).toContain('--port');
  });

  it.each(['/dev/null/runs', '/proc/runs'])('names the folder %s that cannot be written', async (out) => {
    const { code, stderr } = await place.run('race', '-n', '1', '--out', out);
    expect(code).toBe(70);
    expect(stderr).toContain('the run directory cannot be written');
    expect(stderr).toContain('--out');
  });

  it('names the server that refuses, and not its password', async () => {
    const dsn = 'postgres://someone:hunter2@127.0.0.1:1/nowhere';
    const { code, stderr } = await place.run('race', '-n', '1', '--db', dsn, '--out', place.out);
    expect(code).toBe(70);
    expect(stderr).toContain('127.0.0.1:1');
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    [['race', 'no-such-scenario']],
    [['race', '-n', '0']],
    [['race', '-n', '1.5']],
    [['race', '--durability', 'never']],
    [['race', '--no-such-flag']],
    [['audit']],
    [[]],
  ])('refuses %j as bad arguments', async (args) => {
    const { code, stderr } = await place.run(...args);
    expect(code).toBe(64);
    expect(stderr).toContain('Exit codes:');
  });

  it('says that a folder without a series is no run directory', async () => {
    const { code, stderr } = await place.run('audit', place.folder);
    expect(code).toBe(70);
    expect(stderr).not.toContain('has a bug');
  });
});

describe('a disk that fills in mid-series', () => {
  it('ends the series with an operator error that names the file', async () => {
    const watchdog = startWatchdog();
    const server = await startEmbeddedServer({ watchdog });
    try {
      // The limit is per file; 40 kB are passed by the history or the rows after a few trials.
      const running = place.start(
        ['race', '-n', '40', '--workers', '2', '--parallel', '2', '--db', server.dsn, '--out', place.out],
        ['prlimit', '--fsize=40000'],
      );
      const { code, stderr } = await running.ended;
      expect(stderr).toMatch(/(run directory|effect log) .*(cannot|could not) be written/);
      expect(code).toBe(70);
    } finally {
      await server.stop();
      await watchdog.close();
    }
  });
});

describe('a server of somebody else', () => {
  it('gets a schema for the series, which goes with it, is kept on demand, and goes even after SIGKILL', async () => {
    const watchdog = startWatchdog();
    const server = await startEmbeddedServer({ watchdog });
    const client = new pg.Client({ connectionString: server.dsn });
    await client.connect();
    const schemas = async () => {
      const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'forkscope%'");
      return rows.length;
    };
    try {
      const args = ['race', 'serial', '-n', '1', '--workers', '2', '--db', server.dsn, '--out', place.out];
      expect((await place.run(...args)).code).toBe(0);
      expect(await schemas()).toBe(0);
      expect((await place.run(...args, '--keep-db')).code).toBe(0);
      expect(await schemas()).toBe(1);
      await rm(place.out, { recursive: true });
      const running = place.start([...long, '--db', server.dsn, '--out', place.out]);
      await place.history(running, completed);
      expect(await schemas()).toBe(2);
      running.child.kill('SIGKILL');
      await running.ended;
      expect(await place.leftovers()).toEqual([]);
      await expect.poll(schemas, { timeout: 30_000 }).toBe(1);
    } finally {
      await client.end();
      await server.stop();
      await watchdog.close();
    }
  });
});
