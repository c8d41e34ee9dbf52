import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '#analysis/model/bug.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import { parseRule } from './parse-rule.ts';
import { printRule, ruleGrammar } from './rule-text.ts';

const names = (...texts: readonly string[]): NodeName[] => texts as NodeName[];
const rule = (left: string[], right: string[], constant: number, text: string): CountRule => ({
  left: names(...left),
  right: names(...right),
  constant,
  text,
});

const nodeName: fc.Arbitrary<NodeName> = fc
  .oneof(
    fc.constantFrom(
      'plan',
      'n',
      'a-b',
      '__proto__',
      'constructor',
      '3',
      '',
      ' ',
      'a+b',
      'x>=y',
      '"',
      '\\',
      'n(a)',
    ),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({
      unit: fc.constantFrom('\u001b', '\u202e', '\u2028', '\ud800', '"', '\\', 'u', '0', '\u0000'),
    }),
  )
  .map((text) => text as NodeName);
const anyRule = fc
  .record({
    left: fc.array(nodeName, { maxLength: 3 }),
    right: fc.array(nodeName, { maxLength: 3 }),
    constant: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.maxSafeInteger()).map((constant) => constant + 0),
  })
  .filter(({ left, right }) => left.length + right.length > 0);

describe('a rule that somebody typed', () => {
  it.each([
    ['plan>=charge', rule(['plan'], ['charge'], 0, 'plan >= charge')],
    ['  plan  >=  charge ', rule(['plan'], ['charge'], 0, 'plan >= charge')],
    ['charge<=plan', rule(['plan'], ['charge'], 0, 'plan >= charge')],
    ['a+b>=c', rule(['a', 'b'], ['c'], 0, 'a + b >= c')],
    ['a + a >= b', rule(['a', 'a'], ['b'], 0, 'a + a >= b')],
    ['n(a)<=3', rule([], ['a'], -3, 'n(a) <= 3')],
    ['a<=3', rule([], ['a'], -3, 'n(a) <= 3')],
    ['3>=n(a)', rule([], ['a'], -3, 'n(a) <= 3')],
    ['n(a)>=1', rule(['a'], [], 1, 'n(a) >= 1')],
    ['n(a)+n(b)<=0', rule([], ['a', 'b'], 0, 'n(a) + n(b) <= 0')],
    ['n ( "a b" ) <= 2', rule([], ['a b'], -2, 'n("a b") <= 2')],
    ['a>=b+1', rule(['a'], ['b'], 1, 'a >= b + 1')],
    ['1+a+2>=b', rule(['a'], ['b'], -3, 'a + 3 >= b')],
    ['n>=n(n)', rule(['n'], ['n'], 0, 'n >= n')],
    ['"n"+a>=b', rule(['n', 'a'], ['b'], 0, 'n + a >= b')],
    ['call-model>=sub/graph.x', rule(['call-model'], ['sub/graph.x'], 0, 'call-model >= sub/graph.x')],
    ['"a+b">="c > d"', rule(['a+b'], ['c > d'], 0, '"a+b" >= "c > d"')],
    ['"say \\"hi\\""<=größe', rule(['größe'], ['say "hi"'], 0, 'größe >= "say \\"hi\\""')],
    ['"\ttab">=b', rule(['\ttab'], ['b'], 0, '"\\ttab" >= b')],
    ['__proto__>=constructor', rule(['__proto__'], ['constructor'], 0, '__proto__ >= constructor')],
  ])('%j is read', (text, expected) => {
    expect(parseRule(text)).toEqual({ kind: 'rule', rule: expected });
  });

  it.each([
    ['', 0, 'a node name or a whole number', 'the end'],
    ['plan', 4, '+, >= or <=', 'the end'],
    ['plan >=', 7, 'a node name or a whole number', 'the end'],
    ['plan > charge', 5, 'a node name, a whole number, +, >= or <=', '">"'],
    ['plan = charge', 5, 'a node name, a whole number, +, >= or <=', '"="'],
    ['a b >= c', 2, '+, >= or <=', 'b'],
    ['a >= b >= c', 7, '+ or the end', '">"'],
    ['a + >= b', 4, 'a node name or a whole number', '">"'],
    ['n(3) <= 4', 2, 'a node name', '"3"'],
    ['n(a <= 4', 4, ')', '"<"'],
    ['m(a) <= 4', 1, '+, >= or <=', '"("'],
    ['"open >= b', 0, 'a node name, a whole number, +, >= or <=', '"\\""'],
    ['"\\q" >= b', 0, 'a name with JSON escapes', '"\\""'],
    ['3 >= 2', 0, 'a rule that names a node', '"3"'],
    ['a >= 99999999999999999999', 5, 'a whole number below 2^53', '"9"'],
    ['a >= -1', 5, 'a node name, a whole number, +, >= or <=', '"-"'],
    ['a\u001b[31m >= b', 1, 'a node name, a whole number, +, >= or <=', '"\\u001b"'],
    ['a >= 😀', 5, 'a node name, a whole number, +, >= or <=', '"😀"'],
  ])('%j is refused at its place', (text, position, expected, found) => {
    expect(parseRule(text)).toEqual({
      kind: 'syntax-error',
      position,
      message: `expected ${expected} at character ${position + 1} of the rule, found ${found}; ${ruleGrammar}`,
    });
  });

  it('is an answer, never an exception, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom('a', 'n', '(', ')', '+', '<', '>', '=', '"', '\\', ' ', '3') }),
        ),
        (text) => {
          const parsed = parseRule(text);
          if (parsed.kind === 'syntax-error') expect(parsed.position).toBeLessThanOrEqual(text.length);
          else expect(parseRule(parsed.rule.text)).toEqual(parsed);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('a rule that is printed', () => {
  it('reads back as the same rule, whatever its nodes are called', () => {
    fc.assert(
      fc.property(anyRule, (printed) => {
        expect(parseRule(printRule(printed))).toEqual({
          kind: 'rule',
          rule: { ...printed, text: printRule(printed) },
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('holds no character that could steer a terminal', () => {
    fc.assert(
      fc.property(anyRule, (printed) => {
        expect(printRule(printed)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('of a name of 60 KB is read in linear time', () => {
    const long = `${'x +'.repeat(20_000)}"` as NodeName;
    const printed = printRule({ left: [long], right: names('b'), constant: 0 });
    expect(parseRule(printed)).toMatchObject({ kind: 'rule', rule: { left: [long] } });
    expect(parseRule('('.repeat(60_000)).kind).toBe('syntax-error');
  });

  it('names a node: a rule about none is a bug', () => {
    expect(() => printRule({ left: [], right: [], constant: 3 })).toThrow(InvariantBroken);
  });
});
