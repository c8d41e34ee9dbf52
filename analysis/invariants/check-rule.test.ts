import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import { checkRules, judgeRule } from './check-rule.ts';
import { parseRule } from './parse-rule.ts';

function ruleOf(text: string): CountRule {
  const parsed = parseRule(text);
  if (parsed.kind !== 'rule') throw new Error(parsed.message);
  return parsed.rule;
}

const counts = (entries: Record<string, number>): Map<NodeName, number> =>
  new Map(Object.entries(entries) as [NodeName, number][]);
const nodes = (...names: readonly string[]): Set<NodeName> => new Set(names as NodeName[]);
const noDoubt = { atLeast: nodes(), atMost: nodes() };

describe('rules on exact counts', () => {
  it('are violated with both sums, in the order of the rules', () => {
    const rules = ['plan>=charge', 'charge>=notify', 'n(notify)<=1', 'plan+charge>=notify+4'].map(ruleOf);
    expect(checkRules(rules, counts({ plan: 2, charge: 3, notify: 2 }))).toEqual([
      { rule: rules[0], leftSum: 2, rightSum: 3 },
      { rule: rules[2], leftSum: 0, rightSum: 1 },
      { rule: rules[3], leftSum: 5, rightSum: 6 },
    ]);
  });

  it('take an absent node for one that never ran', () => {
    expect(checkRules([ruleOf('a>=b')], counts({}))).toEqual([]);
    expect(checkRules([ruleOf('a>=b')], counts({ b: 1 }))).toHaveLength(1);
    expect(checkRules([ruleOf('__proto__>=b')], counts({ b: 1 }))).toHaveLength(1);
  });

  it('count a node as often as a rule names it', () => {
    expect(checkRules([ruleOf('a+a>=b')], counts({ a: 1, b: 2 }))).toEqual([]);
  });
});

describe('rules on counts that are bounds', () => {
  it.each([
    ['a>=b', { a: 2, b: 3 }, { atLeast: nodes('a'), atMost: nodes() }, 'undecided'],
    ['a>=b', { a: 3, b: 3 }, { atLeast: nodes('a'), atMost: nodes() }, 'holds'],
    ['a>=b', { a: 2, b: 3 }, { atLeast: nodes('b'), atMost: nodes() }, 'broken'],
    ['a>=b', { a: 3, b: 2 }, { atLeast: nodes('b'), atMost: nodes() }, 'undecided'],
    ['a>=b', { a: 2, b: 3 }, { atLeast: nodes(), atMost: nodes('a') }, 'broken'],
    ['a>=b', { a: 2, b: 3 }, { atLeast: nodes(), atMost: nodes('b') }, 'undecided'],
    ['a>=b', { a: 3, b: 3 }, { atLeast: nodes(), atMost: nodes('a') }, 'undecided'],
    ['a>=b', { a: 0, b: 0 }, { atLeast: nodes('a'), atMost: nodes('b') }, 'holds'],
    ['a>=b', { a: 0, b: 1 }, { atLeast: nodes('a', 'b'), atMost: nodes('a', 'b') }, 'undecided'],
    ['n(a)<=3', { a: 4 }, { atLeast: nodes('a'), atMost: nodes() }, 'broken'],
    ['n(a)<=3', { a: 4 }, { atLeast: nodes(), atMost: nodes('a') }, 'undecided'],
    ['n(a)<=3', { a: 3 }, { atLeast: nodes(), atMost: nodes('a') }, 'holds'],
    ['n(a)>=1', {}, { atLeast: nodes('a'), atMost: nodes() }, 'undecided'],
  ] as const)('%s with %j under %o is %s', (text, known, doubt, answer) => {
    expect(judgeRule(ruleOf(text), counts(known), doubt)).toBe(answer);
  });

  it('know that a node on both sides is one unknown', () => {
    const doubt = { atLeast: nodes('a'), atMost: nodes('a') };
    expect(judgeRule(ruleOf('a+b>=a'), counts({ a: 7 }), doubt)).toBe('holds');
    expect(judgeRule(ruleOf('a>=a+1'), counts({ a: 7 }), doubt)).toBe('broken');
  });

  const name = fc.constantFrom<NodeName>(...(['a', 'b', 'c'] as NodeName[]));
  const rule = fc.record({
    left: fc.array(name, { maxLength: 3 }),
    right: fc.array(name, { maxLength: 3 }),
    constant: fc.integer({ min: -3, max: 3 }),
    text: fc.constant(''),
  });
  const known = fc.array(fc.tuple(name, fc.nat(3))).map((entries) => new Map(entries));
  const some = fc.subarray<NodeName>(['a', 'b', 'c'] as NodeName[]).map((names) => new Set(names));

  it('are judged as checking every possible count would judge them', () => {
    fc.assert(
      fc.property(rule, known, some, some, (drawn, given, atLeast, atMost) => {
        // As good as infinitely many: three times 3 and the constant weigh less.
        const far = 30;
        const possible = (node: NodeName): number[] => {
          const count = given.get(node) ?? 0;
          const least = atMost.has(node) ? 0 : count;
          const most = atLeast.has(node) ? far : count;
          return [...new Set([least, count, most])];
        };
        const verdicts = new Set<boolean>();
        for (const a of possible('a' as NodeName)) {
          for (const b of possible('b' as NodeName)) {
            for (const c of possible('c' as NodeName)) {
              verdicts.add(checkRules([drawn], counts({ a, b, c })).length === 0);
            }
          }
        }
        const answer = verdicts.size === 2 ? 'undecided' : verdicts.has(true) ? 'holds' : 'broken';
        expect(judgeRule(drawn, given, { atLeast, atMost })).toBe(answer);
      }),
      { numRuns: 500 },
    );
  });

  it('without doubt agree with the check of exact counts', () => {
    fc.assert(
      fc.property(rule, known, (drawn, given) => {
        const broken = checkRules([drawn], given).length > 0;
        expect(judgeRule(drawn, given, noDoubt)).toBe(broken ? 'broken' : 'holds');
      }),
    );
  });
});
