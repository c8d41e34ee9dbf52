import { afterAll, expect, test } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import { fixtureBytes } from '../dump/testing/read-all.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import { openDumpSource } from './dump-source.ts';
import { LogFolder } from './testing/log-files.ts';

const files = new LogFolder();
afterAll(() => {
  files[Symbol.dispose]();
});

/** Of a channel whose values are read only where branches met; the line's last digit is no hexadecimal one. */
function damagedDump(): { readonly text: string; readonly byte: number } {
  const text = fixtureBytes('race-js.sql.gz').toString('latin1');
  const line = /^race-\d+\t\tsteps\t.*\\\\x[0-9a-f]+$/m.exec(text);
  if (line === null) throw new Error('the recorded set has such a line');
  const end = line.index + line[0].length;
  return { text: `${text.slice(0, end - 1)}g${text.slice(end)}`, byte: line.index };
}

async function read(
  path: string,
  keepGoing: boolean,
): Promise<{ evidence: ThreadEvidence[]; skipped: readonly string[] }> {
  const source = await openDumpSource(
    { kind: 'file', path },
    { threads: null, schema: null },
    { nodes: false, keepGoing },
  );
  try {
    const evidence: ThreadEvidence[] = [];
    for await (const one of source.threads()) evidence.push(one);
    return { evidence, skipped: source.skipped?.examples ?? [] };
  } finally {
    source.close?.();
  }
}

test('a damaged value that is read again is the operator’s, with table and byte', async () => {
  const { text, byte } = damagedDump();
  const path = files.write('damaged.sql', text);
  const failure = await read(path, false).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect(failure).toMatchObject({
    happened: 'the column blob is no bytea',
    place: `${path}, table public.checkpoint_blobs, byte ${byte}`,
  });
});

test('going on, only that value stays unread, and its thread is known to be damaged', async () => {
  const { text, byte } = damagedDump();
  const path = files.write('damaged.sql', text);
  const { evidence, skipped } = await read(path, true);
  expect(skipped).toEqual([
    `${path}, table public.checkpoint_blobs, byte ${byte}: the column blob is no bytea`,
  ]);
  const damaged = evidence.filter(({ rows }) => rows.damagedRows !== undefined);
  expect(damaged).toMatchObject([{ rows: { damagedRows: 1 } }]);
  const unread = damaged[0]?.rows.blobs?.filter(({ value }) => value.omitted === true);
  expect(unread).toMatchObject([{ channel: 'steps' }]);
});
