import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import { outcomesOf } from '../outcomes.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { NodeName, RunToken, ThreadId } from '../model/identifiers.ts';
import { simulate } from '../simulation/simulate.ts';
import { stepsChannel } from '../simulation/superstep.ts';
import { lostKeys } from './lost-keys.ts';

const nodes = ['plan', 'charge'] as NodeName[];

/** A thread of one run whose effects say what their nodes returned. */
function threadReturning(returned: Readonly<Record<string, readonly string[]>>): ThreadEvidence {
  const run = {
    run: 'run' as RunToken,
    worker: 'w',
    begins: 'input' as const,
    cancelAfter: null,
    zombie: false,
  };
  const { evidence, effects } = simulate({
    ...{ thread: 'simulated' as ThreadId, nodes, runs: [run], schedule: [], minting: 'counted' },
  });
  const telling = effects.map((effect) => {
    const returnedKeys = returned[effect.node];
    return returnedKeys === undefined ? effect : { ...effect, returnedKeys };
  });
  return { ...evidence, log: { effects: telling, table: null, health: null } };
}

function lostIn(evidence: ThreadEvidence) {
  const lost = lostKeys(analyseThread(evidence, { rules: [] }), evidence);
  return lost === null ? null : [...lost].map(([node, keys]) => [node, ...keys]);
}

describe('keys that nodes returned in vain', () => {
  test('are those that no channel of the thread holds, under the node that returned them', () => {
    const evidence = threadReturning({ plan: [stepsChannel], charge: [stepsChannel, 'paymentReference'] });
    expect(lostIn(evidence)).toEqual([['charge', 'paymentReference']]);
    const outcomes = outcomesOf(analyseThread(evidence, { rules: [] }), evidence);
    expect([outcomes.get('lostKeys'), outcomes.get('lostKeys.charge')]).toEqual([1, 'paymentReference']);
  });

  test('are none when every key has a channel, and unknown when no record says what a node returned', () => {
    expect(lostIn(threadReturning({ plan: [stepsChannel], charge: [stepsChannel] }))).toEqual([]);
    expect(lostIn(threadReturning({}))).toBeNull();
    expect(lostIn({ ...threadReturning({ charge: ['x'] }), log: null })).toBeNull();
  });

  test('are not told of a node that no edge shows: its row is missing, not its key', () => {
    const whole = threadReturning({ plan: ['gone'] });
    expect(lostIn(whole)).toEqual([['plan', 'gone']]);
    const inputs = whole.rows.checkpoints.filter(({ source }) => source === 'input');
    expect(inputs).toHaveLength(1);
    const cut = { ...whole, rows: { ...whole.rows, checkpoints: inputs } };
    expect(lostIn(cut)).toEqual([]);
  });

  test('of a channel in another namespace are lost all the same', () => {
    const evidence = threadReturning({ charge: ['inner'] });
    const [row] = evidence.rows.checkpoints;
    if (row === undefined) throw new Error('the thread has rows');
    const inner = {
      ...row,
      namespace: 'sub:1' as typeof row.namespace,
      channelVersions: new Map([['inner', 1]]) as never,
    };
    const rows = { ...evidence.rows, checkpoints: [...evidence.rows.checkpoints, inner] };
    expect(lostIn({ ...evidence, rows })).toEqual([['charge', 'inner']]);
  });
});
