/** Scenarios and their arms on the embedded server: what each must show, whatever the timing. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveClasses } from '#analysis/disconnect/leave-class.ts';
import { Workplace } from './testing/program.ts';
import { armsOf, audit, valuesOf, verdictsOf } from './testing/race-series.ts';

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

describe('the other scenarios', () => {
  it('serial: no fork, no finding but the zombie, and a sentence about what no fork proves', async () => {
    const { stdout, code } = await place.run(
      'race',
      'serial',
      '-n',
      '3',
      '--workers',
      '2',
      '--out',
      place.out,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('No trial of 3 forked. That proves no absence');
    const { totals } = await audit(place, join(place.out, 'latest'));
    expect(totals.undeclaredForks).toBe(0);
    expect(Object.keys(totals.findings).filter((kind) => kind !== 'zombie-effect')).toEqual([]);
  });

  it.each(['sync', 'exit'])(
    'fresh-thread with durability %s: one fork a thread, named a race',
    async (durability) => {
      const args = [
        'race',
        'fresh-thread',
        '-n',
        '2',
        '--durability',
        durability,
        '--workers',
        '2',
        '--out',
        place.out,
      ];
      expect((await place.run(...args)).code).toBe(1);
      const { threads } = await audit(place, join(place.out, 'latest'));
      for (const { namespaces } of threads) {
        const [fork] = namespaces[0]?.forks ?? [];
        expect(fork?.verdict).toBe('race');
        // Which of the two is natural timing: whether the second request read before the first had stored its input.
        expect(['two-roots', 'input-during-run']).toContain(fork?.class);
        expect(namespaces[0]?.roots).toHaveLength(fork?.class === 'two-roots' ? 2 : 1);
      }
    },
  );

  it('late-put: every thread shows a race', async () => {
    expect((await place.run('race', 'late-put', '-n', '2', '--workers', '2', '--out', place.out)).code).toBe(
      1,
    );
    expect((await audit(place, join(place.out, 'latest'))).totals.undeclaredForks).toBeGreaterThanOrEqual(2);
  });

  it('resume-race and double-resume: a fork runs the rest twice and is a double resume, one request does neither', async () => {
    for (const [scenario, node] of [
      ['resume-race', 'finish'],
      ['double-resume', 'charge'],
    ] as const) {
      const args = ['race', scenario, '--arms', 'two,one', '-n', '2', '--workers', '2', '--out', place.out];
      expect([0, 1]).toContain((await place.run(...args)).code);
      const [two, one] = armsOf(place.out);
      // Whether the two meet is natural timing; what they leave if they do is not.
      const forks = valuesOf(two, 'undeclaredForks').map(Number).sort();
      const executed = valuesOf(two, `tree.${node}`).map(Number).sort();
      expect(executed).toEqual(forks.map((count) => 1 + count));
      for (const kind of valuesOf(two, 'class'))
        expect(['double-resume', 'late-worker', 'none']).toContain(kind);
      expect([valuesOf(one, `tree.${node}`), valuesOf(one, 'forks')]).toEqual([[1], [0]]);
    }
  });

  it('regenerate: one after the other is a declared fork, at once is a race', async () => {
    const args = [
      'race',
      'regenerate',
      '--arms',
      'again,edit-at-once',
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
    ];
    expect([0, 1]).toContain((await place.run(...args)).code);
    const [again, atOnce] = armsOf(place.out);
    expect([valuesOf(again, 'forks'), valuesOf(again, 'undeclaredForks'), again?.overlapped]).toEqual([
      [1],
      [0],
      null,
    ]);
    // Whether the two met is natural timing; that they did makes the fork undeclared.
    const met = (atOnce?.overlapped as { readonly count: number }).count;
    expect(valuesOf(atOnce, 'undeclaredForks').map(Number).sort()).toEqual(
      met === 2 ? [1] : met === 0 ? [0] : [0, 1],
    );
  });

  it('undeclared-key: the key that the schema lacks is lost, and no other is', async () => {
    expect(
      (await place.run('race', 'undeclared-key', '-n', '2', '--workers', '2', '--out', place.out)).code,
    ).toBe(0);
    const [undeclared, declared] = armsOf(place.out);
    expect(valuesOf(undeclared, 'lostKeys.charge')).toEqual(['paymentReference']);
    expect([valuesOf(undeclared, 'lostKeys'), valuesOf(declared, 'lostKeys')]).toEqual([[1], [0]]);
  });

  it('remedies: a lock never forks, also under the triggers that break its mutants, and a key never charges again', async () => {
    const arms = [
      'none',
      'lock-wait',
      'lease',
      'idempotency-key',
      'in-memory-busy',
      'lock-wait@saver-with-two-connections',
      'saver-pool-lock@saver-with-two-connections',
      'lock-reject@two-on-one-worker-then-one',
      'session-lock-leak@two-on-one-worker-then-one',
      'lock-reject@two-threads-whose-ids-share-32-bits-of-hash',
      'lock-hash32@two-threads-whose-ids-share-32-bits-of-hash',
      'lease@a-reaper-comes-while-the-provider-is-slow',
    ];
    const args = [
      'race',
      'double-post',
      '--arms',
      arms.join(','),
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
    ];
    const { stdout, code } = await place.run(...args);
    expect(code).toBe(1);
    expect(stdout).toContain('trigger (forced): saver with two connections');
    const found = new Map(armsOf(place.out).map((arm) => [arm.arm, arm]));
    for (const arm of arms.filter((name) => /^(lock-|lease)/.test(name)))
      expect([arm, valuesOf(found.get(arm), 'undeclaredForks')]).toEqual([arm, [0]]);
    expect(valuesOf(found.get('idempotency-key'), 'repeatedCharges')).toEqual([0]);
    // Both waited for connections that the other had.
    expect(valuesOf(found.get('saver-pool-lock@saver-with-two-connections'), 'refused')).toEqual([1]);
    expect(valuesOf(found.get('lock-reject@two-on-one-worker-then-one'), 'refused.late')).toEqual([]);
    const alone = (arm: string) =>
      valuesOf(found.get(`${arm}@two-threads-whose-ids-share-32-bits-of-hash`), 'refusedAlone');
    expect(alone('lock-reject')).toEqual([0]);
    // Whether the two met is natural timing; nobody else can turn them away.
    for (const count of alone('lock-hash32')) expect([0, 1]).toContain(count);
    const reaped = found.get('lease@a-reaper-comes-while-the-provider-is-slow');
    expect(valuesOf(reaped, 'repeatedCharges')).toEqual([0]);
    const verdicts = new Map(verdictsOf(place.out));
    expect(verdicts.get('none')).toBeNull();
    // Two trials may be too few to tell a remedy from what it is held against; they never break it.
    for (const arm of arms.filter((name) => /^(lock-wait|lock-reject|lease|idempotency-key)/.test(name)))
      expect(['held', 'untested']).toContain(verdicts.get(arm));
    expect(verdicts.get('saver-pool-lock@saver-with-two-connections')).toBe('shown');
    expect(stdout).toContain('saver-pool-lock: shows its defect\n  turned away: the defect, 2/2 ');
  });

  it('disconnect: who does not hear of it completes, who aborts obedient nodes leaves no zombie, and each cell is classed', async () => {
    const arms = [
      'for-await-async',
      'detached-exit',
      'invoke-sync',
      'out-of-process-sync',
      'abort-obeyed-async',
      'break-on-close-sync',
    ];
    const args = [
      'race',
      'disconnect',
      '--arms',
      arms.join(','),
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
    ];
    const { stdout, stderr } = await place.run(...args);
    expect(stderr).toBe('');
    expect(stdout).toContain('handler shape');
    const found = armsOf(place.out);
    const classes = new Map(found.map((arm) => [arm.arm, valuesOf(arm, 'disconnect')]));
    for (const arm of ['for-await-async', 'detached-exit', 'invoke-sync', 'out-of-process-sync'])
      expect([arm, classes.get(arm)]).toEqual([arm, ['completed']]);
    // How far it came before the worker saw the client gone is timing; that no node went on unseen is not.
    expect(classes.get('abort-obeyed-async')).not.toContain('zombie');
    for (const [kind] of classes.values()) expect(leaveClasses).toContain(kind);
  });
});
