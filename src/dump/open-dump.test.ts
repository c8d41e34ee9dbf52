import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import { recogniseFormat } from './dump-format.ts';
import type { DumpSource } from './open-dump.ts';
import { chunked, failureOf, fixtureBytes, readAll } from './testing/read-all.ts';
import { checkpointSection, wholeDump } from './testing/small-dump.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-dump-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function errorOf(source: DumpSource): Promise<OperatorError> {
  const failure = await failureOf(source);
  if (!(failure instanceof OperatorError)) throw new Error(`no operator error but ${String(failure)}`);
  return failure;
}

const dump = wholeDump(checkpointSection('public.checkpoints', 't1'));

/** One row of the thread t1, packed by `zstd -19`. */
const zstdDump = Buffer.from(
  'KLUv/QRoVQYAEoskGED5U1JwJ3m/xmmZ+jF0yFTdcDJjeOASAcGxBR4xftn51pgsRyBNudaes7VIk66/t6jn4/akNrlQc36/wiLY' +
    '5m1roVTGmhadNgDBAID8oOE7f18lyooqcf/N92uxFrqfn7zdc64WeXP5avL7Q/Wf77GDWH/4wDvsyl61inqCRlgiLBOqUz2+84i5' +
    '5j7XO8QVg64VIDDIMIcecobscgAAsBC5AZyGXgi0AYaooEW6DYoeqCnw+ECjAXHhMu3wzSbcApmPsBs1A8jpGPM=',
  'base64',
);

/** A frame of two bytes that decoders skip. */
const skippable = Buffer.from('502a4d18020000006869', 'hex');

describe('formats are told by content', () => {
  test.each([
    ['a plain dump', Buffer.from(dump), { kind: 'plain' }],
    [
      'a plain dump with a UTF-8 mark and blank lines',
      Buffer.from(`\u{feff}\n\nSET x = 1;`),
      { kind: 'plain' },
    ],
    [
      'a part of a dump cut out by hand',
      Buffer.from('COPY public.checkpoints (a) FROM stdin;'),
      { kind: 'plain' },
    ],
    ['psql commands', Buffer.from('\\connect agents\n'), { kind: 'plain' }],
    ['a custom archive', fixtureBytes('race-js.z0.dump.gz'), { kind: 'custom' }],
    ['a tar archive of pg_dump', fixtureBytes('race-py.tar.gz'), { kind: 'tar' }],
    ['gzip', gzipSync(dump), { kind: 'gzip' }],
    ['zstd', zstdDump, { kind: 'zstd' }],
    ['zstd that begins with a frame to skip', skippable, { kind: 'zstd' }],
    ['rows as JSON lines', Buffer.from('{"table":"checkpoints"}\n'), { kind: 'rows' }],
  ])('%s', (_, head, expected) => {
    expect(recogniseFormat(head)).toEqual(expected);
  });

  const tar = fixtureBytes('race-py.tar.gz').subarray(0, 1_024);
  test.each([
    ['nothing', Buffer.alloc(0), 'empty', 'pg_dump'],
    ['a picture', Buffer.from('ffd8ffe000104a46494600', 'hex'), 'binary data', 'pg_dump'],
    ['a list in JSON', Buffer.from('[{"table":"checkpoints"}]\n'), 'begins neither like SQL', 'pg_dump'],
    [
      'prose that begins with a word of SQL',
      Buffer.from('settings of the house'),
      'begins neither like SQL',
      'pg_dump',
    ],
    ['lz4', Buffer.from('04224d1800', 'hex'), 'lz4', 'lz4 -dc'],
    ['UTF-16 of PowerShell', Buffer.from('\u{feff}--\n', 'utf16le'), 'UTF-16', 'pg_dump -f'],
    [
      'another tar archive',
      Buffer.concat([Buffer.from('readme\0\0'), tar.subarray(8)]),
      'none of pg_dump',
      'pg_dump',
    ],
    ['a database file', Buffer.from('SQLite format 3\0'), 'SQLite', 'JSON lines'],
  ])('%s is refused, with what it is and what to do', async (_, bytes, what, remedy) => {
    const error = await errorOf(chunked(bytes, [3]));
    expect(error.happened).toContain('the file is not a dump: it is');
    expect(error.happened).toContain(what);
    expect(error.remedy).toContain(remedy);
    expect(error.place).toBe('test.sql');
  });
});

test('what a file is does not depend on the chunks it comes in', () => {
  const spoilt = Buffer.from(`${dump}${'-- \n'.repeat(2_000)}\0`);
  expect(recogniseFormat(spoilt)).toEqual(recogniseFormat(spoilt.subarray(0, 4_096)));
});

describe('gzip', () => {
  test('packed more than once is unpacked as often, within reason', async () => {
    const twice = gzipSync(gzipSync(dump));
    expect(await readAll(chunked(twice, [7]))).toMatchObject([{ thread: 't1' }]);
    const error = await errorOf(chunked(gzipSync(gzipSync(twice))));
    expect(error.happened).toContain('packed more than 3 times');
  });

  test('several members one after the other are one text', async () => {
    const halves = [dump.slice(0, 150), dump.slice(150)].map((half) => gzipSync(half));
    expect(await readAll(chunked(Buffer.concat(halves)))).toMatchObject([{ thread: 't1' }]);
  });

  test('cut off or damaged, it is refused', async () => {
    const packed = gzipSync(dump.repeat(50));
    const cut = await errorOf(chunked(packed.subarray(0, packed.length - 20)));
    expect(cut.happened).toBe('the gzip file is cut off');
    expect(cut.place).toBe(`test.sql, which ends at byte ${packed.length - 20}`);
    expect(cut.remedy).toContain('--keep-going');
    const damaged = Buffer.from(packed);
    damaged.fill(0xff, 30, 60);
    expect((await errorOf(chunked(damaged))).happened).toBe('the gzip file is damaged');
  });

  test('an error’s place says that its offsets are those of the unpacked text', async () => {
    const error = await errorOf(chunked(gzipSync(dump.slice(0, -100))));
    expect(error.place).toMatch(/^test\.sql, unpacked, /);
  });
});

describe('zstd', () => {
  test.each([[1], [7], [65_536]])('is unpacked, whatever the chunks: %i', async (size) => {
    expect(await readAll(chunked(zstdDump, [size]))).toMatchObject([{ thread: 't1' }]);
  });

  test('may hold several frames, some to be skipped, and be packed again', async () => {
    const frames = Buffer.concat([skippable, zstdDump, skippable]);
    expect(await readAll(chunked(frames, [5]))).toMatchObject([{ thread: 't1' }]);
    expect(await readAll(chunked(gzipSync(zstdDump)))).toMatchObject([{ thread: 't1' }]);
  });

  test('of very many frames is read without as many calls within each other', async () => {
    // A raw block that is the last of its frame, of no bytes.
    const empty = Buffer.from('28b52ffd2000010000', 'hex');
    const frames = Buffer.concat([...Array<Buffer>(50_000).fill(empty), zstdDump]);
    expect(await readAll(chunked(frames, [1 << 20]))).toMatchObject([{ thread: 't1' }]);
  });

  test('that needs a window of gigabytes is refused, as by zstd itself', async () => {
    const long = Buffer.from('28b52ffd04a8010000', 'hex');
    expect((await errorOf(chunked(long))).happened).toContain('packed with --long');
  });

  test.each([5, 20, 100, zstdDump.length - 1])(
    'cut off at byte %i, it is refused with that',
    async (length) => {
      const error = await errorOf(chunked(zstdDump.subarray(0, length)));
      expect(error.happened).toBe('the zstd file is cut off');
      expect(error.place).toBe(`test.sql, which ends at byte ${length}`);
      expect(error.remedy).toContain('--keep-going');
    },
  );

  test('damaged in any byte, it is refused, or the byte meant nothing', async () => {
    const whole = await readAll(chunked(zstdDump));
    for (let at = 0; at < zstdDump.length; at += 3) {
      const damaged = Buffer.from(zstdDump);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      const read = await readAll(chunked(damaged)).catch((error: unknown) => error);
      if (!(read instanceof OperatorError)) expect(read, `byte ${at}`).toEqual(whole);
    }
    const swapped = Buffer.concat([zstdDump.subarray(0, -1), Buffer.of(0)]);
    expect((await errorOf(chunked(swapped))).happened).toBe(
      'the zstd file is damaged: a checksum does not fit',
    );
  });
});

describe('paths', () => {
  test('a file that does not exist, and a folder that is no dump', async () => {
    const missing = join(folder, 'missing.sql');
    expect(await errorOf({ kind: 'file', path: missing })).toMatchObject({
      happened: 'there is no such file',
      place: missing,
    });
    expect(await errorOf({ kind: 'file', path: folder })).toMatchObject({
      happened: 'the folder is no dump',
      expected: 'a file toc.dat in it, as pg_dump -Fd writes',
    });
  });

  test('a file is read whatever its name', async () => {
    const path = join(folder, 'dump.jpeg');
    await writeFile(path, dump);
    expect(await readAll({ kind: 'file', path })).toMatchObject([{ thread: 't1' }]);
  });
});

test.each([
  ['an error', "SET client_encoding = 'LATIN1';\n"],
  ['a foreign format', '["not SQL"]\n'],
])('a reader that stops at %s closes the stream behind it', async (_, opening) => {
  let isClosed = false;
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from(opening);
      for (;;) yield await Promise.resolve(Buffer.from('SELECT 1;\n'));
    } finally {
      isClosed = true;
    }
  }
  expect(await failureOf({ kind: 'stream', name: 'endless', bytes: endless() })).toBeInstanceOf(
    OperatorError,
  );
  expect(isClosed).toBe(true);
});
