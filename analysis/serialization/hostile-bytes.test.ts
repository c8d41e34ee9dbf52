import { decode, encode, ExtData } from '@msgpack/msgpack';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStored } from './decode-stored.ts';
import { msgpackFault } from './msgpack-shape.ts';

function corruptBecause(bytes: Uint8Array): string | null {
  const decoded = decodeStored({ type: 'msgpack', bytes });
  return decoded.kind === 'unreadable' && decoded.reason === 'corrupt' ? decoded.because : null;
}

function repeated(part: readonly number[], times: number): Uint8Array {
  return Uint8Array.from({ length: part.length * times }, (_, at) => part[at % part.length] ?? 0);
}

test.each([
  ['no bytes', new Uint8Array(), 'cut off at byte 0'],
  ['a list of four thousand million elements', Uint8Array.of(0xdd, 255, 255, 255, 255, 1), 'promises more'],
  ['a mapping of as many', Uint8Array.of(0xdf, 255, 255, 255, 255, 1), 'promises more'],
  ['a text of as many bytes', Uint8Array.of(0xdb, 255, 255, 255, 255, 65), 'promises more'],
  ['an extension of as many bytes', Uint8Array.of(0xc9, 255, 255, 255, 255, 0, 1), 'promises more'],
  ['nested lists that each claim the rest', repeated([0xdd, 0, 1, 0, 0], 13_000), 'promises more'],
  ['a length field cut off', Uint8Array.of(0xdd, 0, 0), 'cut off at byte 3'],
  ['a number cut off', Uint8Array.of(0xcb, 0, 0), 'cut off at byte 3'],
  ['the head byte msgpack leaves unused', Uint8Array.of(0xc1), 'no msgpack format'],
  ['text that is no UTF-8', Uint8Array.of(0xa2, 0xc3, 0x28), 'not UTF-8'],
  ['a second value', Uint8Array.of(1, 2), '1 bytes follow'],
  ['a hundred thousand levels of lists', Uint8Array.of(...repeated([0x91], 100_000), 0xc0), 'nested deeper'],
  ['an extension without a name', encode(new ExtData(1, encode([1, 2, 3]))), 'does not name its object'],
  ['an extension whose payload is cut off', encode(new ExtData(0, Uint8Array.of(0x93, 1))), 'promises more'],
])('%s is corrupt, said without a crash', (_, bytes, because) => {
  expect(corruptBecause(bytes)).toContain(because);
});

test('a value cut off anywhere is corrupt', () => {
  const whole = encode({ a: [1, 'zwölf', -3.5, null, true], b: new ExtData(1, encode(['m', 'n', [1]])) });
  for (let length = 0; length < whole.length; length += 1) {
    expect(corruptBecause(whole.subarray(0, length))).not.toBeNull();
  }
  expect(corruptBecause(whole)).toBeNull();
});

test('any bytes are either decoded or called corrupt; nothing is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(['value', 'unreadable']).toContain(decodeStored({ type: 'msgpack', bytes }).kind);
      expect(['value', 'unreadable']).toContain(decodeStored({ type: 'json', bytes }).kind);
    }),
    { numRuns: 2_000 },
  );
});

test('the shape check admits whatever the decoder reads and ends on', () => {
  const decodable = fc.uint8Array({ maxLength: 12 }).filter((bytes) => {
    try {
      decode(bytes, { mapKeyConverter: String });
      return true;
    } catch {
      return false;
    }
  });
  fc.assert(
    fc.property(decodable, (bytes) => {
      // The decoder reads invalid UTF-8 loosely; that difference is intended.
      expect(msgpackFault(bytes) ?? 'the text is not UTF-8').toContain('the text');
    }),
    { numRuns: 500 },
  );
});
