import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRules } from '../invariants/check-rule.ts';
import { parseRule } from '../invariants/parse-rule.ts';
import { invariant } from '../model/bug.ts';
import type { NodeName } from '../model/identifiers.ts';
import type { CountRule } from '../model/invariant.ts';
import { askedText, ranText, type CountedIn, type CountedNodes } from './rule-sentence.ts';

function rule(text: string): CountRule {
  const parsed = parseRule(text);
  invariant(parsed.kind === 'rule', text);
  return parsed.rule;
}

function counted(counts: Readonly<Record<string, number>>, where: CountedIn = 'log'): CountedNodes {
  return { where, counts: new Map(Object.entries(counts) as [NodeName, number][]), doubt: null };
}

function sentence(text: string, nodes: CountedNodes): string {
  return `${ranText(rule(text), nodes)}; ${askedText(rule(text), nodes)}`;
}

describe('the sentence of a broken rule', () => {
  test.each([
    ['n(notify) <= 1', { notify: 3 }, 'in the log notify ran 3 times; the rule n(notify) <= 1 allows 1'],
    ['1 >= notify', { notify: 3 }, 'in the log notify ran 3 times; the rule n(notify) <= 1 allows 1'],
    ['0 >= refund', { refund: 1 }, 'in the log refund ran once; the rule n(refund) <= 0 allows 0'],
    ['plan >= 1', {}, 'in the log plan did not run; the rule n(plan) >= 1 asks for at least 1'],
    ['2 <= plan', { plan: 1 }, 'in the log plan ran once; the rule n(plan) >= 2 asks for at least 2'],
    [
      'plan >= charge',
      { plan: 2, charge: 3 },
      'in the log charge ran 3 times while plan ran 2 times; the rule plan >= charge allows charge at most 2',
    ],
    [
      'plan + 1 >= charge',
      { charge: 2 },
      'in the log charge ran 2 times while plan did not run; the rule plan + 1 >= charge allows charge at most 1',
    ],
    [
      'charge >= plan + 1',
      { plan: 1, charge: 1 },
      'in the log plan ran once while charge ran once; the rule charge >= plan + 1 allows plan at most 0',
    ],
    [
      'charge >= plan + 1',
      {},
      'in the log plan did not run while charge did not run; the rule charge >= plan + 1 asks charge for at least 1',
    ],
    [
      'n(a) + n(b) <= 3',
      { a: 2, b: 3 },
      'in the log a and b together ran 5 times (a 2 and b 3); the rule n(a) + n(b) <= 3 allows 3',
    ],
    [
      'a >= b + c',
      { a: 1, b: 2 },
      'in the log b and c together ran 2 times (b 2 and c 0) while a ran once; the rule a >= b + c allows b and c together at most 1',
    ],
    [
      'a >= b + b',
      { a: 1, b: 1 },
      'in the log b + b came to 2 (b 1) while a ran once; the rule a >= b + b allows b + b at most 1',
    ],
    ['0 >= a + 2', {}, 'in the log a did not run; no count can keep the rule a + 2 <= 0'],
    [
      'n("two\nlines") <= 0',
      { 'two\nlines': 2 },
      'in the log "two\\nlines" ran 2 times; the rule n("two\\nlines") <= 0 allows 0',
    ],
    [
      'n(__proto__) <= 0',
      JSON.parse('{"__proto__":2}') as Record<string, number>,
      'in the log __proto__ ran 2 times; the rule n(__proto__) <= 0 allows 0',
    ],
  ])('%s with %j', (text, counts, said) => {
    expect(sentence(text, counted(counts))).toBe(said);
  });

  test('names the tree or the head where the executions were counted there', () => {
    expect(ranText(rule('n(a) <= 1'), counted({ a: 2 }, 'tree'))).toBe('in the tree a ran 2 times');
    expect(ranText(rule('n(a) <= 1'), counted({ a: 1 }, 'head'))).toBe("on the head's lineage a ran once");
  });

  test.each([
    [['a'], [], 'in the tree a ran at least 1 time'],
    [[], ['a'], 'in the tree a ran at most 1 time'],
    [['a'], ['a'], 'in the tree a ran about 1 time'],
  ])('says which counts are bounds: at least %j, at most %j', (atLeast, atMost, said) => {
    const doubt = { atLeast: new Set(atLeast as NodeName[]), atMost: new Set(atMost as NodeName[]) };
    expect(ranText(rule('n(a) <= 0'), { ...counted({ a: 1 }, 'tree'), doubt })).toBe(said);
  });

  test('both halves of an equality are told apart', () => {
    const halves = ['n(a) >= 2', 'n(a) <= 2'];
    const broken = (times: number): string[] =>
      halves.filter((half) => checkRules([rule(half)], counted({ a: times }).counts).length > 0);
    expect(broken(2)).toEqual([]);
    expect(broken(1).map((half) => sentence(half, counted({ a: 1 })))).toEqual([
      'in the log a ran once; the rule n(a) >= 2 asks for at least 2',
    ]);
    expect(broken(3).map((half) => sentence(half, counted({ a: 3 })))).toEqual([
      'in the log a ran 3 times; the rule n(a) <= 2 allows 2',
    ]);
  });

  test('the number it allows is where the rule stops being broken', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const side = fc.array(name, { maxLength: 3 });
    const counts = fc.record({ a: fc.nat(5), b: fc.nat(5), c: fc.nat(5) });
    fc.assert(
      fc.property(side, side, fc.integer({ min: -4, max: 4 }), counts, (left, right, constant, ran) => {
        fc.pre(left.length + right.length > 0);
        const asked = { left, right, constant, text: 'r' } as unknown as CountRule;
        const nodes = counted(ran);
        const [broken] = checkRules([asked], nodes.counts);
        fc.pre(broken !== undefined);
        const said = askedText(asked, nodes);
        const number = Number(/(\d+)$/.exec(said)?.[1] ?? NaN);
        if (said.includes('allows')) {
          const rightRan = broken.rightSum - constant;
          expect(number).toBeLessThan(rightRan);
          expect(broken.leftSum).toBe(number + constant);
        } else if (said.includes('asks')) {
          expect(number).toBeGreaterThan(broken.leftSum);
          expect(number).toBe(broken.rightSum);
        } else {
          expect(left).toEqual([]);
          expect(constant).toBeGreaterThan(0);
        }
      }),
    );
  });
});
