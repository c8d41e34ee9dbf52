import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from './printable.ts';

describe('printable text', () => {
  it('leaves ordinary text, accents and emoji as they are', () => {
    expect(printable('Zürich 東京 🎫 thread-7')).toBe('Zürich 東京 🎫 thread-7');
  });

  it.each([
    ['an ANSI escape', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a line feed', 'a\nb', 'a\\nb'],
    ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
    ['a C1 control sequence introducer', 'a\u009bb', 'a\\u{9b}b'],
    ['a text that looks like an escape of ours', 'a\\nb', 'a\\\\nb'],
  ])('escapes %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('shows nothing that a terminal acts on, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(printable(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/u);
      }),
    );
  });

  it('is different for different short texts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (a, b) => {
          fc.pre(a !== b);
          expect(printable(a)).not.toBe(printable(b));
        },
      ),
    );
  });

  it('cuts 60 KB to a line and says how much is missing', () => {
    const shown = printable('x'.repeat(60_000));
    expect(shown.length).toBeLessThan(200);
    expect(shown).toContain('(59880 characters more)');
  });
});
