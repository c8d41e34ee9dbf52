/** A few runs of few cells, as a user runs them: laws that hold whatever the timing, and what is left. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workplace } from '../../cli/testing/program.ts';

interface Cell {
  readonly answer: string;
  readonly fault: string;
  readonly accepted: number;
  readonly enteredUnaccepted: number;
  readonly vanishedUnaccepted: number;
  readonly fates: Record<string, number>;
  readonly after: { readonly succeeded: number; readonly quarantined: number } | null;
}

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

it('accounts once for every accepted run of a killed worker, loses none that was read back, and nothing is left', async () => {
  const args = ['race', 'vanish', '-n', '4', '--arms', 'kill,no-table', '--durability', 'sync'];
  const { code, stdout, stderr } = await place.run(
    ...args,
    ...['--workers', '2', '--out', place.out, '--format', 'json'],
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { cells, verdict, command } = JSON.parse(stdout) as {
    readonly cells: readonly Cell[];
    readonly verdict: string;
    readonly command: string;
  };
  expect(verdict).toBe('valid');
  expect(cells).toHaveLength(9);
  for (const { answer, fault, accepted, fates, after } of cells) {
    const told = Object.values(fates).reduce((sum, count) => sum + count, 0);
    expect([answer, fault, told]).toEqual([answer, fault, accepted]);
    if (after !== null) expect(after.succeeded + after.quarantined).toBe(accepted);
    if (fault === 'none') expect([answer, fates['completed']]).toEqual([answer, accepted]);
    if (answer === 'read-back' && fault === 'kill') expect(fates['vanished']).toBe(0);
    if (fault === 'no-table') expect([answer, accepted > 0]).toEqual([answer, answer === 'at-once']);
  }

  for (const { answer, fault, vanishedUnaccepted, enteredUnaccepted } of cells)
    expect([answer, fault, vanishedUnaccepted <= enteredUnaccepted]).toEqual([answer, fault, true]);

  // An audit sees the ledger and not what clients were told: an order that the fault met before its answer is there too.
  const vanished = cells.reduce(
    (sum, { fates, vanishedUnaccepted }) => sum + (fates['vanished'] ?? 0) + vanishedUnaccepted,
    0,
  );
  const [, ...words] = command.split(' ');
  const audit = await place.run(...words, '--format', 'json');
  const { totals } = JSON.parse(audit.stdout) as { readonly totals: { readonly findings: object } };
  expect(new Map(Object.entries(totals.findings)).get('vanished-run') ?? 0).toBe(vanished);
  expect(await place.leftovers()).toEqual([]);
});
