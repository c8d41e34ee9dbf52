import { expect, test } from 'vitest';
import { counted, durationText, sizeText } from './quantity-text.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.6, '1.0 kB'],
  [1_234_567, '1.2 MB'],
  [99_940_000, '99.9 MB'],
  [99_960_000, '100 MB'],
  [200e9, '200 GB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test.each([
  [0, '0 s'],
  [7_100, '8 s'],
  [59_001, '1 min 00 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 05 min'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('a count agrees with its noun', () => {
  expect([counted(1, 'thread'), counted(0, 'thread'), counted(12_345, 'thread')]).toEqual([
    '1 thread',
    '0 threads',
    '12,345 threads',
  ]);
  expect(counted(2, 'branch', 'branches')).toBe('2 branches');
});
