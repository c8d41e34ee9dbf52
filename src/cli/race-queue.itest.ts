/** Runs behind a durable queue: what their clients get, who is charged again, and what becomes of a series whose queue dies. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workplace } from './testing/program.ts';
import { armsOf, valuesOf } from './testing/race-series.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(async () => {
  const left = await place.leftovers();
  await place.close();
  expect(left).toEqual([]);
});

const twoTrials = ['-n', '2', '--workers', '2'];

describe('runs behind a queue', () => {
  it('reconnect: a client that comes back gets each chunk once and the result, whatever the durability', async () => {
    const { stderr, code } = await place.run('race', 'reconnect', ...twoTrials, '--out', place.out);
    expect([code, stderr]).toEqual([0, '']);
    const arms = armsOf(place.out);
    expect(arms.map(({ arm }) => arm)).toEqual(['async', 'sync', 'exit']);
    for (const arm of arms) {
      expect([valuesOf(arm, 'stream.chunks'), valuesOf(arm, 'stream.result')]).toEqual([[4], [1]]);
      expect([valuesOf(arm, 'undeclaredForks'), valuesOf(arm, 'executed.charge')]).toEqual([[0], [1]]);
    }
  });

  it('redelivery: whoever looks at who is alive, or brings a key, does not charge again', async () => {
    const trigger = 'a-run-takes-longer-than-its-queue-gives-it';
    const arms = ['lease', 'lock-reject', 'idempotency-key', 'redelivery', 'patient-queue'];
    const chosen = arms.map((arm) => `${arm}@${trigger}`).join(',');
    await place.run('race', 'double-post', '--arms', chosen, ...twoTrials, '--out', place.out);
    const found = new Map(armsOf(place.out).map((arm) => [arm.arm.split('@')[0], arm]));
    for (const arm of ['lease', 'lock-reject', 'idempotency-key', 'patient-queue'])
      expect([arm, valuesOf(found.get(arm), 'repeatedCharges')]).toEqual([arm, [0]]);
    for (const arm of ['lease', 'lock-reject', 'patient-queue'])
      expect([arm, valuesOf(found.get(arm), 'undeclaredForks')]).toEqual([arm, [0]]);
    // That the second delivery comes in time is the queue's; if it does, it charges a second time.
    for (const count of valuesOf(found.get('redelivery'), 'repeatedCharges')) expect([0, 1]).toContain(count);
  });

  it("SIGKILL of the queue's worker ends the series with an error that names it", async () => {
    const args = ['race', 'reconnect', '-n', '40', '--workers', '2', '--scale', '0.3', '--parallel', '2'];
    const running = place.start([...args, '--out', place.out]);
    await place.history(running, (line) => line.includes('"event":"completed"'));
    const [victim] = place.processes('src/services/queue/main');
    process.kill(victim ?? 0, 'SIGKILL');
    const { code, stderr } = await running.ended;
    expect(stderr).toContain('queue');
    expect(stderr).toContain('SIGKILL');
    expect(code).toBe(70);
  });
});
