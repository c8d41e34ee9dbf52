import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import type { DumpSource } from './open-dump.ts';
import { restoredText } from './pg-restore.ts';
import { chunked, failureOf, fixture, fixtureBytes, readAll } from './testing/read-all.ts';

const hasRestore = isInstalled('pg_restore');

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version']);
    return true;
  } catch {
    return false;
  }
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pg-restore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
});

async function file(name: string, bytes: Buffer): Promise<DumpSource & { readonly kind: 'file' }> {
  const target = join(folder, name);
  await writeFile(target, bytes);
  return { kind: 'file', path: target };
}

async function errorOf(source: DumpSource): Promise<OperatorError> {
  const failure = await failureOf(source);
  if (!(failure instanceof OperatorError)) throw new Error(`no operator error but ${String(failure)}`);
  return failure;
}

/** An archive's whole text, or what stopped it. */
async function textOf(archive: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of restoredText({ kind: 'path', path: archive }, { kind: 'everything' }))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe.runIf(hasRestore)(
  'archives, read by the pg_restore that is installed (skipped where it is not)',
  () => {
    test('custom archives, compressed or not, and tar give the same rows as plain text', async () => {
      for (const set of ['race-js', 'race-py']) {
        const plain = await readAll({ kind: 'file', path: fixture(`${set}.sql.gz`) });
        expect(await readAll({ kind: 'file', path: fixture(`${set}.dump`) })).toEqual(plain);
        expect(await readAll(await file(`${set}.z0`, fixtureBytes(`${set}.z0.dump.gz`)))).toEqual(plain);
        if (set === 'race-py') {
          expect(await readAll(await file(`${set}.tar`, fixtureBytes(`${set}.tar.gz`)))).toEqual(plain);
        }
      }
    });

    test('a folder of pg_dump -Fd is read like the archive it was made from', async () => {
      // A tar archive of pg_dump holds the files of its directory format.
      const tar = await file('folder.tar', fixtureBytes('race-py.tar.gz'));
      const unpacked = join(folder, 'unpacked');
      await mkdir(unpacked);
      execFileSync('tar', ['-xf', tar.path, '-C', unpacked]);
      const plain = await readAll({ kind: 'file', path: fixture('race-py.sql.gz') });
      expect(await readAll({ kind: 'file', path: unpacked })).toEqual(plain);
    });

    test('an archive from standard input, also gzipped, is read without a file', async () => {
      const plain = await readAll({ kind: 'file', path: fixture('race-js.sql.gz') });
      expect(await readAll(chunked(await readFile(fixture('race-js.dump')), [1_000]))).toEqual(plain);
      expect(await readAll(chunked(await readFile(fixture('race-js.z0.dump.gz'))))).toEqual(plain);
      expect(await readAll({ kind: 'file', path: fixture('race-py.tar.gz') })).toEqual(
        await readAll({ kind: 'file', path: fixture('race-py.sql.gz') }),
      );
    });

    test('an archive that is cut off is refused with what pg_restore says', async () => {
      const whole = await readFile(fixture('race-js.dump'));
      const error = await errorOf(await file('cut.dump', whole.subarray(0, whole.length / 2)));
      expect(error.happened).toMatch(/^pg_restore could not read the archive: .*(?:end of file|read)/);
      expect(error.place).toBe(join(folder, 'cut.dump'));
      expect((await errorOf(chunked(whole.subarray(0, whole.length / 2)))).happened).toContain(
        'pg_restore could not',
      );
    });

    test('an archive of a newer pg_dump says which version is needed', async () => {
      const newer = Buffer.from(await readFile(fixture('race-js.dump')));
      newer[6] = 99; // The minor version of the archive format, after the magic and the major version.
      const error = await errorOf(await file('newer.dump', newer));
      expect(error.happened).toContain('made by a newer pg_dump');
      expect(error.happened).toContain('unsupported version (1.99)');
    });

    test('a reader that stops early ends the process', async () => {
      const bin = join(folder, 'stuck');
      const pidFile = join(folder, 'pid');
      await makeProgram(bin, `echo $$ > ${pidFile}; echo "-- begun"; exec sleep 600`);
      process.env['PATH'] = `${bin}:${path ?? ''}`;
      for await (const chunk of restoredText({ kind: 'path', path: 'x' }, { kind: 'everything' })) {
        expect(Buffer.from(chunk).toString()).toContain('begun');
        break;
      }
      const pid = Number(await readFile(pidFile, 'utf8'));
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    test('only definitions and LangGraph’s tables are asked for', async () => {
      const program = join(folder, 'recorder');
      await makeProgram(program, `echo "$@" >> ${join(folder, 'calls')}; echo "-- SQL"`);
      process.env['PATH'] = `${program}:${path ?? ''}`;
      await failureOf({ kind: 'file', path: fixture('race-js.dump') });
      const calls = await readFile(join(folder, 'calls'), 'utf8');
      const dump = fixture('race-js.dump');
      expect(calls.split('\n')).toEqual([
        `--file=- --schema-only -- ${dump}`,
        `--file=- --table checkpoints --table checkpoint_blobs --table checkpoint_writes -- ${dump}`,
        '',
      ]);
    });
  },
);

async function makeProgram(binFolder: string, script: string): Promise<void> {
  await mkdir(binFolder);
  const program = join(binFolder, 'pg_restore');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
}

test('without pg_restore an archive is refused with two ways out', async () => {
  process.env['PATH'] = folder;
  const error = await errorOf({ kind: 'file', path: fixture('race-js.dump') });
  expect(error.happened).toContain('pg_restore, which is not installed');
  expect(error.remedy).toContain('Install PostgreSQL');
  expect(error.remedy).toContain('pg_restore -f dump.sql');
  await expect(textOf(fixture('race-js.dump'))).rejects.toBeInstanceOf(OperatorError);
  const bytes = gunzipSync(await readFile(fixture('race-js.z0.dump.gz')));
  expect((await errorOf(chunked(bytes))).happened).toContain('not installed');
});
