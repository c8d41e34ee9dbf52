import { describe, expect, test } from 'vitest';
import type { CheckpointId, ChannelName, NodeName } from '../model/identifiers.ts';
import { decodeCheckpoint, type RawCheckpoint } from './decode-checkpoint.ts';
import { DecodeError } from './decode-error.ts';
import { edgeKind } from './edge.ts';
import { idClockSequence, idTimeMs } from './id-time.ts';
import { reentered } from './re-entry.ts';
import { advancedNodes, consumedInput } from './versions-seen.ts';
import { compareVersions, isNewer, rowWriter, versionCounter } from './versions.ts';

const raw: RawCheckpoint = {
  thread_id: 't',
  checkpoint_ns: '',
  checkpoint_id: '1f1ed063-05b6-6a00-ffff-7f71ca877122',
  parent_checkpoint_id: null,
  checkpoint: {
    v: 4,
    ts: '2026-11-30T21:37:06.208Z',
    channel_versions: { a: 1 },
    versions_seen: { n: { a: 1 } },
  },
  metadata: { source: 'loop', step: 3, parents: {} },
};

function row(checkpoint: object, metadata: object = {}): ReturnType<typeof decodeCheckpoint> {
  return decodeCheckpoint({ ...raw, checkpoint, metadata: { source: 'loop', step: 1, ...metadata } });
}

describe('a checkpoint id', () => {
  test('carries its time although JS writes an invalid variant for step -1', () => {
    const id = raw.checkpoint_id as CheckpointId;
    expect(Math.floor(idTimeMs(id) ?? 0)).toBe(Date.parse('2026-11-30T21:37:06.208Z'));
    expect(idClockSequence(id)).toBe(0xffff);
  });

  test('carries microseconds when Python wrote it', () => {
    const time = idTimeMs('1f1ed027-99bf-624d-bfff-ed84bcc49740' as CheckpointId) ?? 0;
    expect(time).toBeCloseTo(Date.parse('2026-11-30T21:10:31.117Z') + 0.671, 0);
  });

  test.each(['', 'checkpoint-1', '1f1ed063-05b6-4a00-ffff-7f71ca877122'])(
    'says no time when it is %j',
    (id) => {
      expect(idTimeMs(id as CheckpointId)).toBeNull();
    },
  );
});

describe('a version', () => {
  test('is ordered by number in JS, by text in Python and by its counter across both', () => {
    expect(compareVersions(9, 10)).toBeLessThan(0);
    expect(compareVersions(`${'0'.repeat(31)}2.5`, `${'0'.repeat(31)}2.6`)).toBeLessThan(0);
    expect(compareVersions(3, `${'0'.repeat(31)}2.6`)).toBeGreaterThan(0);
    expect(versionCounter(`${'0'.repeat(30)}12.000000000001e-05`)).toBe(12);
  });

  test('is newer than nothing seen unless it is the null version', () => {
    expect(isNewer(1, undefined)).toBe(true);
    expect(isNewer(0, undefined)).toBe(false);
    expect(isNewer('', undefined)).toBe(false);
  });
});

describe('decoding a checkpoint', () => {
  test('keeps nodes and channels that a plain object would lose', () => {
    const checkpoint: unknown = JSON.parse(
      '{"channel_versions":{"__proto__":2},"versions_seen":{"__proto__":{"constructor":1}}}',
    );
    const decoded = decodeCheckpoint({ ...raw, checkpoint });
    expect(decoded.channelVersions.get('__proto__' as ChannelName)).toBe(2);
    expect(decoded.versionsSeen.get('__proto__' as NodeName)?.get('constructor' as ChannelName)).toBe(1);
  });

  test('keeps the run token apart from metadata, and unknown metadata with it', () => {
    const decoded = row({}, { forkscope_run: 'r1', user_id: 'u', parents: { '': 'p' } });
    expect(decoded.run).toBe('r1');
    expect([...decoded.metadata]).toEqual([['user_id', 'u']]);
    expect([...decoded.parents]).toEqual([['', 'p']]);
  });

  test.each([
    ['checkpoint', { checkpoint: [] }],
    ['checkpoint.v', { checkpoint: { v: '4' } }],
    ['checkpoint.channel_versions.a', { checkpoint: { channel_versions: { a: [] } } }],
    ['checkpoint.versions_seen.n', { checkpoint: { versions_seen: { n: 1 } } }],
    ['metadata.step', { metadata: { step: 'x' } }],
    ['metadata.forkscope_run', { metadata: { forkscope_run: 1 } }],
  ])('names %s when it is wrong', (field, wrong) => {
    const decode = (): unknown => decodeCheckpoint({ ...raw, ...wrong });
    expect(decode).toThrow(DecodeError);
    expect(decode).toThrow(`field ${field} is`);
  });

  test('takes a source that no version writes for `other`, and a missing step for null', () => {
    const decoded = decodeCheckpoint({ ...raw, metadata: { source: 'dream' } });
    expect([decoded.source, decoded.step]).toEqual(['other', null]);
  });
});

describe('an edge', () => {
  const at = (source: string, step: number): ReturnType<typeof row> => row({}, { source, step });

  test.each([
    ['superstep', at('loop', 2), at('loop', 3)],
    ['compacted', at('loop', 2), at('loop', 8)],
    ['compacted', null, at('loop', 4)],
    ['root', null, at('input', -1)],
    ['root', null, at('loop', -2)],
    ['bookkeeping', at('loop', 2), at('update', 3)],
    ['dangling', undefined, at('loop', 3)],
    ['anomalous', at('loop', 3), at('loop', 3)],
  ] as const)('is %s', (kind, parent, child) => {
    expect(edgeKind(parent, child)).toBe(kind);
  });
});

describe('what a row saw', () => {
  test('names nodes by changed values, not by present keys, and no pseudo nodes', () => {
    const parent = row({ versions_seen: { a: { x: 1, y: 1 }, b: { x: 1 } } });
    const child = row({
      versions_seen: { a: { x: 1, y: 2 }, b: { x: 1 }, __start__: { __start__: 1 }, c: {} },
    });
    expect(advancedNodes(parent, child)).toEqual(['a']);
    expect(consumedInput(parent, child)).toBe(true);
  });

  test('undoes the version bump of a delta snapshot, which runs nothing', () => {
    const parent = row({ versions_seen: { a: { x: 1 } } });
    const bumps = { 'a|x': 5, 'a:x': 1 };
    const child = row({ versions_seen: { a: { x: 5 }, __snapshot_bumps__: bumps } });
    expect(advancedNodes(parent, child)).toEqual([]);
    const ran = row({ versions_seen: { a: { x: 6 }, __snapshot_bumps__: bumps } });
    expect(advancedNodes(child, ran)).toEqual(['a']);
  });
});

describe('the re-entry stamp', () => {
  const parent = row({ channel_versions: { x: 3, y: 2 } });

  test('marks the first row of a resumed run', () => {
    expect(reentered(parent, row({ versions_seen: { __interrupt__: { x: 3, y: 2 } } }))).toBe(true);
  });

  test('is not read into rows that carry it on, or that have none', () => {
    const stamped = row({ channel_versions: { x: 3 }, versions_seen: { __interrupt__: { x: 3 } } });
    expect(reentered(stamped, row({ versions_seen: { __interrupt__: { x: 3 } } }))).toBe(false);
    expect(reentered(parent, row({}))).toBe(false);
  });

  test('of an older row does not count', () => {
    expect(reentered(parent, row({ versions_seen: { __interrupt__: { x: 2, y: 2 } } }))).toBe(false);
  });
});

test('the writer shows in the timestamp, else in the row’s keys and versions', () => {
  expect(rowWriter(row({ ts: '2026-11-30T21:37:06.208Z' }))).toBe('js');
  expect(rowWriter(row({ ts: '2026-11-30T21:10:31.117671+00:00' }))).toBe('python');
  expect(rowWriter(row({ channel_values: {} }))).toBe('python');
  expect(rowWriter(row({ channel_versions: { a: 1 } }))).toBe('js');
  expect(rowWriter(row({}))).toBe('unknown');
});
