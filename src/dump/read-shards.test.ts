import { expect, test } from 'vitest';
import { readShards } from './read-shards.ts';
import { chunked, fixtureBytes, readAll } from './testing/read-all.ts';
import { checkpointSection, wholeDump, writeColumns } from './testing/small-dump.ts';

test('rows beyond the budget go to the temporary file, and none within it', async () => {
  const bytes = fixtureBytes('race-js.sql.gz');
  const spilled = async (memoryBytes: number): Promise<number> => {
    const sharded = await readShards(chunked(bytes), { memoryBytes });
    try {
      return sharded.spilledBytes;
    } finally {
      sharded.close();
    }
  };
  expect(await spilled(1 << 30)).toBe(0);
  expect(await spilled(1)).toBeGreaterThan(0);
});

test('spilled rows are the same rows', async () => {
  const bytes = fixtureBytes('zoo-py.sql.gz');
  expect(await readAll(chunked(bytes), { memoryBytes: 1 })).toEqual(await readAll(chunked(bytes)));
});

test('one thread id in other escapes is one thread', async () => {
  const spellings = ['a\\tb', 'a\\011b', 'a\\x09b', '\\141\\11b', '\\a\\tb'];
  const rows = spellings.map((id, index) =>
    [id, '', 'c1', 'task', String(index), 'messages', 'json', '\\\\x5b5d'].join('\t'),
  );
  const writes = `COPY public.checkpoint_writes (${writeColumns}) FROM stdin;\n${rows.join('\n')}\n\\.\n`;
  const text = wholeDump(writes, checkpointSection('public.checkpoints', 'a\tb'));
  for (const memoryBytes of [1 << 30, 1]) {
    const [thread, ...others] = await readAll(chunked(text), { memoryBytes });
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ thread: 'a\tb', checkpoints: [{ id: 'c1' }] });
    expect(thread?.writes?.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  }
});
