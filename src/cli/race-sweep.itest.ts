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
  it('in lengths of a run measures the length first; an arm a gap, and no fork where runs did not overlap', async () => {
    const { stdout, stderr } = await race('--scale', '0.02', '--sweep', 'gap=0..4x/2', '--format', 'json');
    expect(stderr).toBe('');
    const { sweep } = JSON.parse(stdout) as { readonly sweep: readonly SweepPoint[] };
    const { swept } = readSettings(join(place.out, 'latest'));
    expect(swept).toMatchObject({ arm: 'none', racers: ['retry-a', 'retry-b'], run: { of: 10 } });
    const apartMs = Math.round(4 * (swept?.run?.medianMs ?? NaN));
    expect(sweep.map(({ gapMs }) => gapMs)).toEqual([0, apartMs]);
    requireLaws(sweep);
    const [, apart] = sweep;
    // How much two runs overlap is timing; without that there is nothing to fork.
    if (apart?.overlapped?.count === 0) {
      expect(apart.share?.count).toBe(0);
      expect(apart.classes.map(({ value }) => value)).toEqual(['none']);
    }
    // Timers are never early by more than the rounding of one; how late a busy machine is, nobody knows.
    expect(apart?.measuredGapMs?.median).toBeGreaterThan(apartMs / 2);
    const stored = JSON.parse(readFileSync(join(place.out, 'latest', 'series.json'), 'utf8')) as unknown;
    expect(stored).toEqual(JSON.parse(stdout));
  });

  it.each([
    ['double-post', ['--sweep', 'gap=0..10/5', '--arms', 'none,lease'], 'of one arm'],
    ['serial', ['--sweep', 'gap=0..10/5'], 'no two racing requests'],
    ['vanish', ['--sweep', 'gap=0..10/5'], 'races no requests'],
  ])('%s refuses %j', async (scenario, args, because) => {
    const { code, stdout, stderr } = await place.run('race', scenario, ...args, '--out', place.out);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(because);
  });
});
