import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkJoiner } from './chunk-joiner.ts';

const semicolon = ';'.charCodeAt(0);

/** Takes texts that end with a semicolon, and counts the bytes it was shown. */
class Reader {
  readonly units: string[] = [];
  shown = 0;

  readonly consume = (bytes: Buffer): number => {
    this.shown += bytes.length;
    let at = 0;
    for (let end = bytes.indexOf(semicolon); end >= 0; end = bytes.indexOf(semicolon, at)) {
      this.units.push(bytes.toString('latin1', at, end));
      at = end + 1;
    }
    return at;
  };
}

function read(text: Buffer, sizes: readonly number[]): { reader: Reader; rest: string } {
  const reader = new Reader();
  const joiner = new ChunkJoiner(reader.consume);
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    joiner.write(text.subarray(at, at + size));
    at += size;
  }
  return { reader, rest: joiner.end().toString('latin1') };
}

test('any chunks give the same units and the same rest', () => {
  const text = fc.array(fc.constantFrom('a', 'bcd', ';', 'e'.repeat(9_000)), { maxLength: 60 });
  const sizes = fc
    .array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 })
    .filter((all) => Math.max(...all) > 0);
  fc.assert(
    fc.property(text, sizes, (parts, chunkSizes) => {
      const whole = parts.join('');
      const units = whole.split(';');
      const rest = units.pop();
      const found = read(Buffer.from(whole), chunkSizes);
      expect([found.reader.units, found.rest]).toEqual([units, rest]);
    }),
  );
});

test('a unit of many chunks is looked at a bounded number of times, not once a chunk', () => {
  const size = 4_000_000;
  const text = Buffer.from(`${'x'.repeat(size)};y`);
  for (const chunkSize of [1_000, 65_536, 3_000_000]) {
    const { reader, rest } = read(text, [chunkSize]);
    expect([reader.units.length, reader.units[0]?.length, rest]).toEqual([1, size, 'y']);
    expect(reader.shown).toBeLessThan(6 * size);
  }
});

test('small units in large chunks are looked at little more than once', () => {
  const text = Buffer.from('0123456789;'.repeat(200_000));
  const { reader } = read(text, [65_536]);
  expect(reader.units.length).toBe(200_000);
  expect(reader.shown).toBeLessThan(1.2 * text.length);
});
