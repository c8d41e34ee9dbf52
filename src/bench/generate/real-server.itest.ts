import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseServer } from '#src/postgres/database-server.ts';
import { startEmbeddedServer } from '#src/postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '#src/postgres/watchdog.ts';
import { writeDump } from '../dump-file.ts';
import { dumpOf } from './settings.ts';

const hasTools = ['psql', 'pg_dump'].every((program) => {
  try {
    execFileSync(program, ['--version']);
    return true;
  } catch {
    return false;
  }
});

let watchdog: Watchdog;
let server: DatabaseServer;
let folder: string;

describe.runIf(hasTools)('a generated dump (skipped where psql or pg_dump is not installed)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-'));
    watchdog = startWatchdog();
    server = await startEmbeddedServer({ watchdog });
  });

  afterAll(async () => {
    await server.stop();
    await watchdog.close();
    await rm(folder, { recursive: true });
  });

  test('is line for line what pg_dump prints after psql has loaded it', async () => {
    const path = join(folder, 'dump.sql');
    await writeDump(dumpOf(2000, { retention: 'all', forks: 9 }), path);
    execFileSync('psql', ['-q', '-X', '-v', 'ON_ERROR_STOP=1', '-d', server.dsn, '-f', path], {
      stdio: 'pipe',
    });
    const dumped = execFileSync('pg_dump', ['--no-owner', '-d', server.dsn], { maxBuffer: 1 << 28 });
    const real = comparable(dumped.toString('utf8'));
    const generated = comparable(await readFile(path, 'utf8'));
    // The first few lines that differ, not a megabyte of them.
    expect(
      real.flatMap((line, at) => (line === generated[at] ? [] : [[line, generated[at]]])).slice(0, 3),
    ).toEqual([]);
    expect(generated.length).toBe(real.length);
  }, 60_000);
});

/**
 * Its lines, sorted, for a server puts short rows where there is room; without what differs from one pg_dump to the
 * next: its version, its token, settings of newer servers.
 */
function comparable(dump: string): readonly string[] {
  return dump
    .replaceAll(/^\\(un)?restrict .*$/gm, '\\$1restrict')
    .replaceAll(/^-- Dumped (from|by).*$/gm, '')
    .replaceAll(/^SET transaction_timeout = 0;\n/gm, '')
    .split('\n')
    .sort();
}
