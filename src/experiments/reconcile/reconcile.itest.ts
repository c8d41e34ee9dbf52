/** A small population and its sweeps, as a user runs them: what holds whatever the timing, and what is left. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workplace } from '../../cli/testing/program.ts';

interface Sweep {
  readonly name: string;
  readonly isSound: boolean;
  readonly matrix: readonly {
    readonly truth: string;
    readonly threads: number;
    readonly told: Record<string, number>;
  }[];
}

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

it('every sweep answers once for every thread, sound ones raise no false alarm, and nothing is left', async () => {
  const args = ['race', 'reconcile', '-n', '1', '--workers', '2', '--out', place.out, '--format', 'json'];
  const { code, stdout, stderr } = await place.run(...args);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { sweeps, threads } = JSON.parse(stdout) as {
    readonly sweeps: readonly Sweep[];
    readonly threads: number;
  };
  expect(sweeps.length).toBeGreaterThan(4);
  for (const { name, isSound, matrix } of sweeps) {
    const told = matrix.flatMap((row) => Object.values(row.told)).reduce((sum, count) => sum + count, 0);
    expect([name, told]).toEqual([name, threads]);
    const live = matrix.filter(({ truth }) => ['running', 'interrupted', 'breakpoint'].includes(truth));
    const alarms = live.reduce((sum, row) => sum + (row.told['abandoned'] ?? 0), 0);
    if (isSound) expect([name, alarms]).toEqual([name, 0]);
  }
  expect(await place.leftovers()).toEqual([]);
});
