/** Clients that leave, directly and behind a real nginx: what must hold whatever the timing. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LearnedArm } from '#analysis/disconnect/when-learned.ts';
import { findNginx } from '../services/nginx/find-nginx.ts';
import { Workplace } from './testing/program.ts';
import { armsOf } from './testing/race-series.ts';

const hasNginx = findNginx() !== null;

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

const race = (...args: readonly string[]) =>
  place.run('race', 'proxy', '-n', '2', '--workers', '2', '--format', 'json', '--out', place.out, ...args);

function learnedIn(stdout: string): readonly LearnedArm[] {
  return (JSON.parse(stdout) as { readonly learned: readonly LearnedArm[] }).learned;
}

describe('a client that leaves behind a proxy', () => {
  it.skipIf(!hasNginx)('is counted in every arm, and nginx is gone with its temporary files', async () => {
    const { stdout, stderr } = await race();
    expect(stderr).toBe('');
    const learned = learnedIn(stdout);
    const completed = new Map(
      armsOf(place.out).map((arm) => [arm.arm, arm as { readonly completed?: number }]),
    );
    expect(learned.map(({ arm }) => arm)).toEqual([...completed.keys()]);
    expect(learned).toHaveLength(6);
    for (const { arm, learned: share, afterMs } of learned) {
      // A trial whose client left before its request had come through is aborted.
      expect([arm, share?.of ?? 0]).toEqual([arm, completed.get(arm)?.completed]);
      // One clock for all: nobody hears of it before it happens.
      if (afterMs !== null) expect(afterMs.least).toBeGreaterThanOrEqual(0);
    }
    // What nginx takes in whole before it writes, and does not tell of, nobody learns: whatever the timing.
    const silent = learned.find(({ arm }) => arm === 'defaults-ignore-abort');
    expect(silent?.learned?.count ?? 0).toBe(0);
    expect((silent?.rows ?? []).every(({ value }) => value === 6)).toBe(true);
    expect(readdirSync(join(place.out, 'latest', 'workers', 'nginx'))).toEqual(['nginx.conf']);
    expect(await place.leftovers()).toEqual([]);
  });

  it.skipIf(hasNginx)('is raced without one where nginx is not installed, and says so', async () => {
    const { stdout, stderr } = await race();
    expect(stderr).toContain('nginx is not installed, so defaults, ');
    expect(stderr).toContain('are left out. Install it');
    expect(learnedIn(stdout).map(({ arm }) => arm)).toEqual(['direct']);
    expect(existsSync(join(place.out, 'latest', 'workers', 'nginx'))).toBe(false);
    const none = await race('--arms', 'buffering-off');
    expect([none.code, none.stdout]).toEqual([70, '']);
    expect(none.stderr).toContain('nginx is not installed');
  });
});
