import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedPlace, type EmbeddedPlace } from '#src/postgres/testing/embedded-place.ts';
import { packageRoot } from '#src/package-root.ts';
import { Workplace } from './testing/program.ts';
import { armsOf, audit, valuesOf } from './testing/race-series.ts';

/** A service as the example ships it, in a process of its own. */
interface Service {
  readonly child: ChildProcess;
  readonly url: string;
}

let place: Workplace;
let database: EmbeddedPlace;
let effects: string;
const services: Service[] = [];

beforeAll(async () => {
  place = await Workplace.open();
  database = await openEmbeddedPlace();
  effects = join(place.folder, 'effects.jsonl');
  // One after the other: the saver's tables are made by the first.
  services.push(await startService());
  services.push(await startService());
}, 60_000);

afterAll(async () => {
  for (const { child } of services) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  expect(await database.close()).toEqual([]);
  await place.close();
});

async function startService(): Promise<Service> {
  const env = { ...process.env, DSN: database.server.dsn, EFFECTS: effects, PORT: '0', SCALE: '0.2' };
  const child = spawn(process.execPath, [join(packageRoot, 'examples/node-server/server.mjs')], {
    env: { ...env, NODE_OPTIONS: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /^listening on (\d+)$/.exec(line) ?? [];
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}` };
  }
  throw new Error('the service ended before it listened');
}

async function relations(): Promise<readonly unknown[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') ORDER BY 1, 2`,
  );
  return rows;
}

function race(...more: readonly string[]) {
  const targets = services.flatMap(({ url }) => ['--target', `${url}/runs`]);
  const where = ['--db', database.server.dsn, '--effects', effects, '--out', place.out];
  return place.run('race', 'double-post', ...targets, ...where, ...more);
}

describe('a series against two running services', () => {
  it('races them, reads their database and changes nothing in it', async () => {
    const before = await relations();
    const { stdout, stderr, code } = await race('-n', '2', '--parallel', '2', '--quiet', '2');
    expect(stderr).toBe('');
    // Whether two posts meet is natural timing.
    expect([0, 1]).toContain(code);
    expect(stdout).toContain('2 trials: 2 completed, 0 aborted');
    expect(stdout).toContain('is unknown.');
    expect(await relations()).toEqual(before);
    const [arm] = armsOf(place.out);
    expect(arm?.arm).toBe('target');
    // Three requests, each of which runs every node or is cancelled in notify, after its charge.
    expect(valuesOf(arm, 'executed.charge')).toEqual([3]);
    expect(valuesOf(arm, 'tree.charge')).toEqual([3]);
    for (const unknown of ['zombies', 'misreadLeaves', 'lostRecords'])
      expect(valuesOf(arm, unknown)).toEqual([]);
    expect(arm?.overlapped).toBeNull();
  });

  it('stores a run directory that an audit reads to the same findings, without what it cannot know', async () => {
    const { totals, threads } = await audit(place, join(place.out, 'latest'));
    expect(totals.threads).toBe(2);
    for (const { namespaces, log } of threads) {
      const [root] = namespaces;
      expect(root?.executions.tree['charge']).toBe(3);
      expect(log['charge']).toBe(3);
      const hidden = (root?.executions.tree['charge'] ?? 0) - (root?.executions.head['charge'] ?? 0);
      expect(root?.hidden['charge'] ?? 0).toBe(hidden);
    }
    expect(totals.findings['zombie-effect'] ?? 0).toBe(0);
    expect(totals.findings['unlogged-execution'] ?? 0).toBe(0);
  });

  it('keeps no secret of the request', async () => {
    const { code } = await race('-n', '1', '--quiet', '1', '--header', 'authorization: Bearer s3cret');
    expect([0, 1]).toContain(code);
    for (const file of ['series.json', 'history.jsonl'])
      expect(readFileSync(join(place.out, 'latest', file), 'utf8')).not.toContain('s3cret');
  });
});

describe('what cannot be raced', () => {
  it.each([
    [['--arms', 'lock-wait'], '--arms says what own workers do'],
    [['--body', '{"x": 1}'], 'neither --target nor --body has a place {thread}'],
    [['--body', '{"x": {thread}}'], '--body is no JSON'],
    [['--header', 'nonsense'], '--header is not of the form'],
  ])('%j is refused before anything is sent', async (more, says) => {
    const { code, stderr } = await race('-n', '1', ...more);
    expect(stderr).toContain(says);
    expect(code).toBe(64);
  });

  it('a schema without checkpoints is an error with a remedy', async () => {
    const { code, stderr } = await race('-n', '1', '--schema', 'elsewhere');
    expect(stderr).toContain('there are no checkpoints that this role can read (schema elsewhere)');
    expect(code).not.toBe(0);
  });
});
