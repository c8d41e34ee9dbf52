import { describe, expect, test } from 'vitest';
import type { Effect } from '../model/effect.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { RunToken } from '../model/identifiers.ts';
import type { ProviderCall } from '../model/provider.ts';
import type { RunRecord } from '../model/run.ts';
import { callerRecord, node, providerCall, runRecord, thread } from '../provider/testing/provider-world.ts';
import { detectDuplicatedEffects } from './duplicated-effects.ts';
import { gatherFacts } from './gather.ts';
import { detectOneSidedCharges, detectRepeatedCharges } from './provider-findings.ts';

function facts(
  account: readonly ProviderCall[] | null,
  runs: readonly RunRecord[],
  effectsOf: string[] = [],
) {
  const effects = effectsOf.map((run, index): Effect => ({
    ...{ thread, node, run: run as RunToken, parent: null, task: null, namespace: null, step: null },
    ...{ attempt: 1, wallMs: null, monotonicMs: null, worker: 'w', sequence: index + 1 },
    businessKey: 'booking',
  }));
  const evidence: ThreadEvidence = {
    rows: { thread, schema: null, checkpoints: [], blobs: [], writes: [] },
    log: { effects, table: null, health: null },
    runs,
    provider: account === null ? null : { calls: account },
  };
  return gatherFacts(evidence, { rules: [] }, { hashes: null, explainStarts: null });
}

const lost = runRecord('a', [callerRecord('unknown')]);
const retried = runRecord('b', [callerRecord('confirmed', { charge: 'ch_2' })]);

describe('what only the account of a provider shows', () => {
  test('a charge that was repeated after its answer was lost, of which the log shows nothing', () => {
    const found = facts([providerCall('a', 1), providerCall('b', 2)], [lost, retried], ['b']);
    expect(detectDuplicatedEffects(found).findings).toEqual([]);
    const [repeated] = detectRepeatedCharges(found).findings;
    expect(repeated?.because).toContain(
      'charged 2 times for booking, without an idempotency key: ch_1 for run a',
    );
    const [unknown] = detectOneSidedCharges(found).findings;
    expect(unknown).toMatchObject({ kind: 'unknown-charge', severity: 'error', witness: ['ch_1'] });
    expect(unknown?.because).toContain('"unknown, charged"');
  });

  test('two records of one charge: information, and no effect that happened twice', () => {
    const again = callerRecord('confirmed', { charge: 'ch_1', isReplayed: true, key: 'k' });
    const runs = [runRecord('a', [callerRecord('confirmed', { charge: 'ch_1' })]), runRecord('b', [again])];
    const account = [providerCall('a', 1, { key: 'k' }), providerCall('b', 2, { key: 'k', made: null })];
    const found = facts(account, runs, ['a', 'b']);
    const [duplicated] = detectDuplicatedEffects(found).findings;
    expect(duplicated).toMatchObject({ severity: 'info', details: { effects: 2, charges: 1 } });
    expect(duplicated?.because).toContain('the provider charged once');
    expect([...detectRepeatedCharges(found).findings, ...detectOneSidedCharges(found).findings]).toEqual([]);
  });

  test('without an account the log decides, and nothing is said of charges', () => {
    const found = facts(null, [lost, retried], ['a', 'b']);
    expect(detectDuplicatedEffects(found).findings[0]?.severity).toBe('error');
    expect(detectOneSidedCharges(found)).toEqual({ findings: [], undecided: [] });
  });

  test('a charge whose run left no record is an open question', () => {
    const { findings, undecided } = detectOneSidedCharges(facts([providerCall('gone', 1)], []));
    expect(findings).toEqual([]);
    expect(undecided[0]?.reason).toBe('there is no record of run gone');
  });

  test('a charge that the provider denies', () => {
    const [finding] = detectOneSidedCharges(facts([], [retried])).findings;
    expect(finding).toMatchObject({ kind: 'missing-charge', witness: ['b'] });
  });
});
