import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plain } from './style.ts';
import { piece, treeText, type TreeLine } from './tree-line.ts';

const words = fc
  .array(fc.string({ unit: fc.constantFrom('a', 'b', '漢'), minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((list) => list.join(' '));

const lines: fc.Arbitrary<TreeLine> = fc.record({
  graph: fc.constant([piece('├─● ')]),
  graphBelow: fc.constant([piece('│ │ ')]),
  columns: fc.constantFrom([piece('1f1ed063-05b   5 loop  ')], []),
  phrases: fc.array(
    words.map((text) => piece(text, 'error')),
    { maxLength: 6 },
  ),
});

describe('a line of a tree', () => {
  test('keeps to the width, and its graphics on every line', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 60, max: 120 }), (line, width) => {
        const text = treeText(line, width, plain);
        for (const [nth, row] of text.entries()) {
          expect(Array.from(row).length).toBeLessThanOrEqual(width);
          expect(row.startsWith(nth === 0 ? '├─●' : '│ │')).toBe(true);
        }
      }),
    );
  });

  test('loses no word', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 60, max: 120 }), (line, width) => {
        const text = treeText(line, width, plain)
          .map((row) => row.slice(4))
          .join(' ');
        const told = [...line.columns, ...line.phrases].map((part) => part.text).join(' ');
        expect(text.split(/\s+/).join(' ').trim()).toBe(told.split(/\s+/).join(' ').trim());
      }),
    );
  });

  test('is as wide in colour as without', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const coloured = treeText(line, 80, { colour: true }).map((row) =>
          stripVTControlCharacters(row).trimEnd(),
        );
        expect(coloured).toEqual(treeText(line, 80, plain));
      }),
    );
  });

  test('breaks a word that fits nowhere', () => {
    const line: TreeLine = { graph: [], graphBelow: [], columns: [], phrases: [piece('x'.repeat(100))] };
    expect(treeText(line, 40, plain).map((row) => row.trim().length)).toEqual([40, 38, 22]);
  });
});
