/** A sweep on the embedded server: what its curve must keep to, whatever the timing, and what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SweepPoint } from '#analysis/sweep/curve.ts';
import { readSettings } from '../rundir/series-file.ts';
import { Workplace } from './testing/program.ts';
import { armsOf } from './testing/race-series.ts';

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

const race = (...args: readonly string[]) =>
  place.run('race', 'double-post', '-n', '2', '--workers', '2', '--out', place.out, ...args);

function requireLaws(sweep: readonly SweepPoint[]): void {
  for (const [index, { share, classes, measuredGapMs }] of sweep.entries()) {
    const arm = armsOf(place.out)[index];
    const completed = (arm as { readonly completed?: number } | undefined)?.completed;
    expect(share?.of).toBe(completed);
    expect(classes.reduce((sum, { count }) => sum + count, 0)).toBe(completed);
    expect(measuredGapMs?.of).toBe(completed);
  }
}

describe('a sweep', () => {
  it('of milliseconds: an arm a gap, and no fork where the runs did not overlap', async () => {
    // A run at a twentieth takes some 130 ms and its rows; three seconds are long beyond it on any machine.
    const { stdout, stderr } = await race(
      '--scale',
      '0.05',
      '--sweep',
      'gap=0..3000/3000',
      '--format',
      'json',
    );
    expect(stderr).toBe('');
    const { sweep } = JSON.parse(stdout) as { readonly sweep: readonly SweepPoint[] };
    expect(sweep.map(({ gapMs }) => gapMs)).toEqual([0, 3000]);
    requireLaws(sweep);
    const [, apart] = sweep;
    // Only a machine that stands still for seconds lets them overlap; without that there is nothing to fork.
    if (apart?.overlapped?.count === 0) {
      expect(apart.share?.count).toBe(0);
      expect(apart.classes.map(({ value }) => value)).toEqual(['none']);
    }
    // Timers are never early by more than the rounding of one; how late a busy machine is, nobody knows.
    expect(apart?.measuredGapMs?.median).toBeGreaterThan(2_500);
    const stored = JSON.parse(readFileSync(join(place.out, 'latest', 'series.json'), 'utf8')) as unknown;
    expect(stored).toEqual(JSON.parse(stdout));
    expect(readSettings(join(place.out, 'latest')).swept).toMatchObject({
      arm: 'none',
      racers: ['retry-a', 'retry-b'],
      run: null,
    });
  });

  it('of lengths of a run: measures the length first, and draws the curve', async () => {
    const { stdout, stderr } = await race('--scale', '0.05', '--sweep', 'gap=0..4x/2');
    expect(stderr).toBe('');
    expect(stdout).toContain('A run alone takes');
    expect(stdout).toMatch(/0 % +50 % +100 %\n +0 ms │ *├?─*●/u);
    const { swept } = readSettings(join(place.out, 'latest'));
    const [first, last] = swept?.gapsMs ?? [];
    expect([first, last]).toEqual([0, Math.round(4 * (swept?.run?.medianMs ?? NaN))]);
    expect(swept?.run?.of).toBe(10);
  });

  it.each([
    ['double-post', ['--sweep', 'gap=50'], 'expected gap=FROM..TO/STEP'],
    ['double-post', ['--sweep', 'gap=0..10/5', '-n', 'auto'], 'not auto'],
    ['double-post', ['--sweep', 'gap=0..10/5', '--arms', 'none,lease'], 'of one arm'],
    ['double-post', ['--sweep', 'gap=0..10/5', '--plan'], '--plan'],
    ['double-post', ['--sweep', 'gap=0..10/5', '--target', 'http://127.0.0.1:9/x'], 'not yet at a --target'],
    ['serial', ['--sweep', 'gap=0..10/5'], 'no two racing requests'],
    ['vanish', ['--sweep', 'gap=0..10/5'], 'races no requests'],
  ])('%s refuses %j', async (scenario, args, because) => {
    const { code, stdout, stderr } = await place.run('race', scenario, ...args, '--out', place.out);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(because);
  });
});
