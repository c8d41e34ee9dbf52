import { describe, expect, test } from 'vitest';
import type { Effect } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { CheckpointId, NodeName, TaskId, ThreadId } from '#analysis/model/identifiers.ts';
import type { EffectsLog } from './effects-log.ts';
import type { Source } from './source.ts';
import { namesWithoutNode, withEffects } from './with-effects.ts';

const everything = { threads: null, schema: null };

function source(
  threads: readonly (readonly [string, string | null])[],
  elsewhere: readonly string[] = [],
): Source {
  return {
    name: { kind: 'dump', name: 'test' },
    options: { rules: [] },
    elsewhere: new Set(elsewhere),
    nodes: new Set(['plan' as NodeName]),
    // eslint-disable-next-line @typescript-eslint/require-await
    threads: async function* () {
      for (const [thread, schema] of threads) {
        const rows = { thread: thread as ThreadId, schema, checkpoints: [], blobs: [], writes: [] };
        yield { rows, log: null, runs: null };
      }
    },
  };
}

function effect(thread: string, node: string, parent: string | null = null): Effect {
  return {
    thread: thread as ThreadId,
    node: node as NodeName,
    run: null,
    parent: parent as CheckpointId | null,
    task: parent as TaskId | null,
    namespace: null,
    step: null,
    attempt: null,
    wallMs: null,
    monotonicMs: null,
    worker: null,
    sequence: null,
    businessKey: null,
  };
}

function logOf(effects: readonly Effect[], hasIds: (name: string) => boolean = () => false): EffectsLog {
  const byThread = new Map<ThreadId, Effect[]>();
  for (const entry of effects) byThread.set(entry.thread, [...(byThread.get(entry.thread) ?? []), entry]);
  const names = [...new Set(effects.map(({ node }) => node))].map((name) => ({
    name,
    records: effects.filter(({ node }) => node === name).length,
    threads: 1,
    hasIds: hasIds(name),
  }));
  const mapping = { origin: 'given', map: new Map() } as const;
  return { file: 'log', mapping, records: effects.length, byThread, names, health: null };
}

async function all(joined: Source): Promise<readonly (readonly [string, number])[]> {
  const threads: ThreadEvidence[] = [];
  for await (const evidence of joined.threads()) threads.push(evidence);
  return threads.map(({ rows, log }) => [rows.thread, log?.effects.length ?? -1]);
}

describe('rows joined with a log', () => {
  const log = logOf([effect('a', 'plan'), effect('b', 'plan'), effect('b', 'plan'), effect('c', 'plan')]);

  test('give each thread its records, and then the threads that only the log knows', async () => {
    const joined = withEffects(
      source([
        ['b', null],
        ['x', null],
      ]),
      log,
      everything,
    );
    expect(await all(joined)).toEqual([
      ['b', 2],
      ['x', 0],
      ['a', 1],
      ['c', 1],
    ]);
  });

  test('leave out what the filter leaves out', async () => {
    const filter = { threads: new Set(['b', 'c']), schema: null };
    expect(await all(withEffects(source([['b', null]]), log, filter))).toEqual([
      ['b', 2],
      ['c', 1],
    ]);
    expect(await all(withEffects(source([['b', 's']], ['a', 'c']), log, everything))).toEqual([['b', 2]]);
  });

  test('are refused where two schemas hold a thread of the log, and only there', async () => {
    await expect(
      all(
        withEffects(
          source([
            ['a', 's'],
            ['a', 't'],
          ]),
          log,
          everything,
        ),
      ),
    ).rejects.toThrow('--schema');
    expect(
      await all(
        withEffects(
          source([
            ['x', 's'],
            ['x', 't'],
          ]),
          log,
          everything,
        ),
      ),
    ).toHaveLength(5);
  });

  test('call a name no node when neither rows nor ids speak for it, or LangGraph forbids it', () => {
    const names = logOf(
      [effect('a', 'plan'), effect('a', 'note'), effect('a', 'gone', 'c1'), effect('a', 'plan:enter', 'c1')],
      (name) => name !== 'note',
    );
    expect(namesWithoutNode(source([]), names).map(({ name }) => name)).toEqual(['note', 'plan:enter']);
    expect(withEffects(source([]), names, everything).options.notNodes).toEqual(['note', 'plan:enter']);
  });
});
