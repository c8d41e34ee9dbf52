import { expect, test } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import { SkippedRows } from '../source/skipped-rows.ts';
import type { Source } from '../source/source.ts';
import { anonymousDamage, damageOf, skippedRows, verdictDespite } from './source-damage.ts';

const fault = new OperatorError({
  happened: 'the dump ends inside a statement',
  place: 'agents.sql, line 4, byte 90',
  expected: 'a semicolon',
  remedy: 'Run pg_dump again. Or pass --keep-going.',
});

function source(rows: number, ...faults: Error[]): Source {
  const skipped = new SkippedRows();
  for (let row = 1; row <= rows; row += 1) {
    const place = { source: 'agents.sql', byte: row, line: row, table: 'agents.checkpoints', row };
    skipped.add({ place, reason: 'the column thread_id is not UTF-8' });
  }
  return {
    name: { kind: 'dump', name: 'agents.sql' },
    options: { rules: [] },
    nodes: null,
    elsewhere: new Set(),
    // eslint-disable-next-line @typescript-eslint/require-await
    async *threads() {
      yield* [];
    },
    faults,
    skipped,
  };
}

test('a fault is told with its place and without the remedy, which was to go on', () => {
  expect(damageOf(source(0, fault)).faults).toEqual([
    'the dump ends inside a statement, expected a semicolon (agents.sql, line 4, byte 90)',
  ]);
});

test('rows are counted by table, and the first places are kept', () => {
  const damage = damageOf(source(7));
  expect(skippedRows(damage)).toBe(7);
  expect(damage.skipped.byTable).toEqual(new Map([['agents.checkpoints', 7]]));
  expect(damage.skipped.examples).toHaveLength(5);
  expect(damage.skipped.examples[0]).toBe(
    'agents.sql, table agents.checkpoints, row 1, line 1, byte 1: the column thread_id is not UTF-8',
  );
});

test('nothing that was left out is ever valid, and an error stays one', () => {
  expect(verdictDespite(damageOf(source(0)), 'valid')).toBe('valid');
  expect(verdictDespite(damageOf(source(1)), 'valid')).toBe('unknown');
  expect(verdictDespite(damageOf(source(0, fault)), 'valid')).toBe('unknown');
  expect(verdictDespite(damageOf(source(1, fault)), 'invalid')).toBe('invalid');
});

test('without names, counts stay and nothing else does', () => {
  const damage = anonymousDamage(damageOf(source(3, fault)));
  expect(skippedRows(damage)).toBe(3);
  expect(damage.faults).toHaveLength(1);
  expect(JSON.stringify([damage.faults, [...damage.skipped.byTable], damage.skipped.examples])).not.toContain(
    'agents',
  );
});
