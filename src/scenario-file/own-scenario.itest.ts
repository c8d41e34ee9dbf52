/** A scenario file outside of the package, as a user writes and races it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workplace } from '../cli/testing/program.ts';

let place: Workplace;
let file: string;
beforeAll(async () => {
  place = await Workplace.open();
  file = join(place.folder, 'forkscope-scenario.ts');
  expect((await place.run('trials', '--init', file)).code).toBe(0);
});
afterAll(async () => {
  await place.close();
});

describe('a scenario of the user', () => {
  it('is raced as the template writes it: two first posts fork, and a lock prevents it', async () => {
    const { code, stdout } = await place.run(
      'race',
      file,
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
      '--format',
      'json',
    );
    expect(code).toBe(1);
    const series = JSON.parse(stdout) as {
      readonly scenario: string;
      readonly scenarioFile: { readonly path: string };
      readonly rules: readonly { readonly text: string }[];
      readonly arms: readonly {
        readonly completed: number;
        readonly outcomes: readonly {
          readonly key: string;
          readonly values: readonly { readonly value: unknown }[];
        }[];
      }[];
    };
    expect([series.scenario, series.scenarioFile.path]).toEqual(['forkscope-scenario', file]);
    expect(series.rules.map(({ text }) => text)).toEqual(['plan >= charge']);
    const forks = series.arms.map(({ completed, outcomes }) => [
      completed,
      outcomes.find(({ key }) => key === 'undeclaredForks')?.values.map(({ value }) => value),
    ]);
    expect(forks).toEqual([
      [2, [1]],
      [2, [0]],
    ]);
  });

  it('is not overwritten by a second --init', async () => {
    const before = readFileSync(file, 'utf8');
    expect((await place.run('trials', '--init', file)).code).toBe(70);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([
    ['stages', 'export default { build: () => ({}) };'],
    ['build', "export default { stages: [{ requests: [{ name: 'a', input: {} }] }] };"],
    ['default export', 'export const scenario = 1;'],
    ['build', "export default { build: () => 1, stages: [{ requests: [{ name: 'a', input: {} }] }] };"],
    ['Unexpected', 'export default {;'],
  ])('that lacks %s ends with an error that names it and the file', async (part, text) => {
    const bad = join(place.folder, 'bad.mjs');
    writeFileSync(bad, text);
    const { code, stderr } = await place.run('race', bad, '-n', '1', '--out', place.out);
    expect(code).toBe(70);
    expect(stderr).toContain(part);
    expect(stderr).toContain('bad.mjs');
  });
});
