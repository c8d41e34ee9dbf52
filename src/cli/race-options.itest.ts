/** What a user asks of a series beside its scenario: when it ends, which worker serves it, and which it is like. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workplace } from './testing/program.ts';

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

describe('a series', () => {
  it('-n auto ends when the interval is narrow, says so, and refuses an outcome that no trial has', async () => {
    const auto = ['race', 'fresh-thread', '-n', 'auto', '--max', '3', '--workers', '2', '--out', place.out];
    const [wide, misspelt] = await Promise.all([
      place.run(...auto, '--width', '0.9'),
      place.run(...auto, '--until', 'fork'),
    ]);
    expect(wide.code).toBe(1);
    expect(wide.stdout).toMatch(/undeclaredForks > 0 in 3 of 3, .* ended because/);
    expect(wide.stdout).toContain('confidence sequence');
    expect(misspelt.code).toBe(70);
    expect(misspelt.stderr).toContain('no trial has the outcome fork');
  });

  it('compare pools series that are alike, and refuses those that are not and one that is named twice', async () => {
    const args = ['race', 'serial', '-n', '2', '--workers', '2', '--out', place.out];
    await place.run(...args);
    await place.run(...args, '--seed', '2');
    const [older, newer] = readdirSync(join(place.out, 'serial'))
      .filter((name) => name !== 'latest')
      .sort()
      .slice(-2)
      .map((name) => join(place.out, 'serial', name));
    const [pooled, unlike, twice] = await Promise.all([
      place.run('compare', older ?? '', newer ?? '', '--format', 'json'),
      place.run('compare', newer ?? '', join(place.out, 'fresh-thread', 'latest')),
      place.run('compare', newer ?? '', join(place.out, 'serial', 'latest')),
    ]);
    expect(pooled.stderr).toBe('');
    expect(JSON.parse(pooled.stdout)).toMatchObject({
      format: 'forkscope-compare/1',
      unlike: [],
      rows: [{ arm: 'none', completed: 4 }],
    });
    expect([unlike.code, twice.code]).toEqual([64, 64]);
    expect(unlike.stderr).toContain('scenario (serial | fresh-thread)');
    expect(twice.stderr).toContain('are one series');
  });

  it('--same-worker sends a whole stage to one worker', async () => {
    await place.run('race', 'fresh-thread', '-n', '2', '--same-worker', '--workers', '2', '--out', place.out);
    const served = new Map<string, Set<number>>();
    for (const line of place.historyLines().filter((text) => text.includes('"invoke"'))) {
      const { thread, slot } = JSON.parse(line) as { thread: string; slot: number };
      served.set(thread, (served.get(thread) ?? new Set()).add(slot));
    }
    expect([...served.values()].map(({ size }) => size)).toEqual([1, 1]);
  });
});
