import { describe, expect, test } from 'vitest';
import { chunked, fixture } from '../dump/testing/read-all.ts';
import { checkpointSection, wholeDump } from '../dump/testing/small-dump.ts';
import { openDumpSource } from './dump-source.ts';
import type { Source } from './source.ts';

const two = wholeDump(
  checkpointSection('public.checkpoints', 'same', 'one'),
  checkpointSection('agents.checkpoints', 'same', 'other'),
);
const all = { threads: null, schema: null };

async function threadsOf(source: Source): Promise<readonly (readonly [string | null, string])[]> {
  const threads: [string | null, string][] = [];
  for await (const { rows } of source.threads()) threads.push([rows.schema, rows.thread]);
  return threads.sort();
}

describe('a dump as a source', () => {
  test('keeps one thread id in two schemas apart', async () => {
    expect(await threadsOf(await openDumpSource(chunked(two), all, { nodes: false }))).toEqual([
      ['agents', 'other'],
      ['agents', 'same'],
      ['public', 'one'],
      ['public', 'same'],
    ]);
  });

  test('gives one schema, and says what the others hold', async () => {
    const source = await openDumpSource(chunked(two), { threads: null, schema: 'agents' }, { nodes: true });
    expect(await threadsOf(source)).toEqual([
      ['agents', 'other'],
      ['agents', 'same'],
    ]);
    expect([...source.elsewhere].sort()).toEqual(['one', 'same']);
  });

  test.each([true, false])('gives the wanted threads (nodes asked for: %s)', async (nodes) => {
    const filter = { threads: new Set(['same']), schema: 'public' };
    expect(await threadsOf(await openDumpSource(chunked(two), filter, { nodes }))).toEqual([
      ['public', 'same'],
    ]);
  });

  test('names the schemas there are when the wanted one is absent', async () => {
    const absent = openDumpSource(chunked(two), { threads: null, schema: 'agent' }, { nodes: false });
    await expect(absent).rejects.toThrow('one of agents, public');
  });

  test.each([
    ['race-js.sql.gz', ['charge', 'finish', 'notify', 'plan']],
    ['zoo-js.sql.gz', ['inner_a', 'p3', 'sibling', 'tools']],
  ])('knows the nodes of %s before its first thread', async (name, expected) => {
    const { nodes } = await openDumpSource({ kind: 'file', path: fixture(name) }, all, { nodes: true });
    expect([...(nodes ?? [])]).toEqual(expect.arrayContaining(expected));
  });
});
