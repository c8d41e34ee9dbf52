/** A charge that is cut off from its service, on a real provider: what each side knows, and what a retry makes of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallFold } from '#analysis/provider/call-fold.ts';
import { chargingCalls } from '#analysis/provider/charges.ts';
import type { ProviderCall } from '#analysis/model/provider.ts';
import { historyEventSchema } from '../rundir/history-event.ts';
import { providerEventSchema } from '../services/provider/provider-protocol.ts';
import { Workplace, type Ended } from './testing/program.ts';

const arms = [
  'lost/none',
  'lost/request',
  'error-before/request',
  'left-unsent/request',
  'left-received/look-up',
  'left-received+signal/request',
  'left-committed+signal/minted',
];

interface Audit {
  readonly totals: { readonly findings: Readonly<Record<string, number>> };
  readonly threads: readonly { readonly thread: string; readonly findings: readonly { kind: string }[] }[];
}

let place: Workplace;
let raced: Ended;
let folder: string;
let account: readonly ProviderCall[];
beforeAll(async () => {
  place = await Workplace.open();
  const few = ['-n', '2', '--workers', '2', '--out', place.out, '--format', 'json'];
  raced = await place.run('race', 'unknown-effect', '--arms', arms.join(','), ...few);
  folder = join(place.out, 'latest');
  const fold = new CallFold();
  for (const line of lines('provider.jsonl')) fold.add(providerEventSchema.parse(JSON.parse(line)));
  account = fold.calls;
});
afterAll(async () => {
  await place.close();
});

function lines(file: string): readonly string[] {
  return readFileSync(join(folder, file), 'utf8').trim().split('\n');
}

/** The values that an outcome had in an arm. */
function values(arm: string, key: string): readonly unknown[] {
  const series = JSON.parse(raced.stdout) as {
    readonly arms: readonly {
      readonly arm: string;
      readonly outcomes: readonly { key: string; values: readonly { value: unknown }[] }[];
    }[];
  };
  const outcomes = series.arms.find((one) => one.arm === arm)?.outcomes ?? [];
  return (outcomes.find((outcome) => outcome.key === key)?.values ?? []).map(({ value }) => value);
}

describe('a charge that is cut off', () => {
  it('is counted by the provider, and a key from the request never charges a booking twice', () => {
    expect(raced.stderr).toBe('');
    expect(raced.code).toBe(1);
    for (const arm of arms.filter((name) => name.endsWith('/request'))) {
      expect(values(arm, 'repeatedCharges')).toEqual([0]);
      expect(values(arm, 'provider.charge').every((charges) => Number(charges) <= 1)).toBe(true);
    }
  });

  it('leaves its run in the unknown, which the account alone resolves', () => {
    expect(values('lost/none', 'effect.first')).toEqual(['unknown, charged']);
    expect(values('error-before/request', 'effect.first')).toEqual(['unknown, not charged']);
    expect(values('left-received+signal/request', 'effect.first')).toEqual(['unknown, charged']);
    // The key holds the error, so the retry knows no more and nobody is ever charged.
    expect(values('error-before/request', 'effect.retry')).toEqual(['unknown, not charged']);
    expect(values('error-before/request', 'provider.charge')).toEqual([0]);
  });

  it('is made again without a key, under a key of the run’s own, and by a look-up that comes before the charge', () => {
    for (const arm of ['lost/none', 'left-received/look-up', 'left-committed+signal/minted']) {
      expect([arm, values(arm, 'provider.charge'), values(arm, 'repeatedCharges')]).toEqual([arm, [2], [1]]);
    }
  });

  it('falls where the provider has come so far as the arm says', () => {
    expect(values('left-received/look-up', 'abort.first')).toEqual(['before the charge']);
    expect(values('left-committed+signal/minted', 'abort.first')).toEqual(['after the charge']);
  });
});

describe('what the run directory keeps', () => {
  it('holds every charge that a caller was told of, and for each thread no fewer than callers confirmed first-hand', () => {
    const runs = lines('history.jsonl')
      .map((line) => historyEventSchema.parse(JSON.parse(line)))
      .flatMap((event) => (event.event === 'run' ? [event.record] : []));
    expect(runs).toHaveLength(arms.length * 2 * 2);
    for (const thread of new Set(runs.map((run) => run.thread))) {
      const made = chargingCalls(account.filter((call) => call.thread === thread));
      const ids = made.map((call) => call.made?.charge);
      const records = runs.filter((run) => run.thread === thread).flatMap(({ calls }) => calls ?? []);
      const confirmed = records.filter(({ knows }) => knows === 'confirmed');
      for (const { charge } of confirmed) expect(ids).toContain(charge);
      expect(confirmed.filter(({ isReplayed }) => !isReplayed).length).toBeLessThanOrEqual(ids.length);
    }
  });

  it('is audited and drawn as any series: repeated and unknown charges are findings', async () => {
    const { stdout, code } = await place.run('audit', folder, '--format', 'json', '--all-threads');
    expect(code).toBe(1);
    const { totals, threads } = JSON.parse(stdout) as Audit;
    expect(totals.findings['repeated-charge']).toBe(6);
    // Two threads each of lost/none and left-committed+signal/minted: nobody was told of the first charge.
    expect(totals.findings['unknown-charge']).toBe(4);
    expect(totals.findings['missing-charge']).toBeUndefined();
    const repeated = threads.find(({ findings }) => findings.some(({ kind }) => kind === 'unknown-charge'));
    const drawn = await place.run('show', folder, repeated?.thread ?? '');
    expect(drawn.stdout).toMatch(/repeated-charge: the provider charged 2 times/);
  });

  it('and nothing outlives the series', async () => {
    expect(await place.leftovers()).toEqual([]);
  });
});
