import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdempotencyTable } from './idempotency-table.ts';

describe('what a key makes of a call', () => {
  it('carries the first one out, says that the key is in use meanwhile, and repeats the answer afterwards', () => {
    const table = new IdempotencyTable<string>();
    expect(table.admit('k', 'p')).toEqual({ kind: 'first' });
    expect(table.admit('k', 'p')).toEqual({ kind: 'in-use' });
    table.keep('k', 'the answer', 1);
    expect(table.admit('k', 'p')).toEqual({ kind: 'replay', answer: 'the answer', call: 1 });
  });

  it('objects to other parameters, while the first call runs and afterwards', () => {
    const table = new IdempotencyTable<string>();
    table.admit('k', 'p');
    expect(table.admit('k', 'q')).toEqual({ kind: 'other-parameters' });
    table.keep('k', 'the answer', 1);
    expect(table.admit('k', 'q')).toEqual({ kind: 'other-parameters' });
  });

  it('takes keys that are properties of every object for what they are: text', () => {
    const table = new IdempotencyTable<string>();
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(table.admit(key, 'p')).toEqual({ kind: 'first' });
    }
  });

  it('carries out exactly one call of each key, whatever the order of calls and answers', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), answers: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const table = new IdempotencyTable<number>();
        const first = new Map<string, number>();
        for (const [call, { key, answers }] of steps.entries()) {
          const admission = table.admit(key, 'p');
          const carriedOut = first.get(key);
          expect(admission.kind === 'first').toBe(carriedOut === undefined);
          if (carriedOut === undefined) first.set(key, call);
          if (admission.kind === 'replay') expect(admission.call).toBe(carriedOut);
          if (answers) table.keep(key, call, first.get(key) ?? call);
        }
      }),
    );
  });
});
