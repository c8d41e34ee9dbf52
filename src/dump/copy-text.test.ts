import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteaBytes } from './bytea.ts';
import { copyEncoded, copyField, isCopyEnd } from './copy-text.ts';
import { CopyRow } from './row-fields.ts';

function decoded(raw: string): string | null {
  const bytes = Buffer.from(`before\t${raw}\tafter`);
  return copyField(bytes, 7, bytes.length - 6)?.toString() ?? null;
}

describe('a field of COPY text', () => {
  test.each<[string, string, string | null]>([
    ['NULL is the raw field \\N', '\\N', null],
    ['text that consists of a backslash and an N is not NULL', '\\\\N', '\\N'],
    ['text that begins like NULL is text', '\\Nx', 'Nx'],
    ['an empty field is empty text, not NULL', '', ''],
    ['plain text stands for itself', 'plan', 'plan'],
    ['an escaped tab does not end the field', 'a\\tb', 'a\tb'],
    ['an escaped line feed does not end the row', 'a\\nb', 'a\nb'],
    ['an escaped carriage return is data, unlike the one of a line break', 'a\\r', 'a\r'],
    ['the other control characters', '\\b\\f\\v', '\b\f\v'],
    ['an escaped backslash', 'a\\\\b', 'a\\b'],
    ['an escaped backslash before an n is no line feed', '\\\\n', '\\n'],
    ['the end mark inside data', '\\\\.', '\\.'],
    ['an octal escape', '\\101', 'A'],
    ['an octal escape of one digit', '\\7x', '\x07x'],
    ['octal escapes that make one character together', '\\303\\244', 'ä'],
    ['a hex escape', '\\x41', 'A'],
    ['a hex escape of one digit', '\\x9g', '\tg'],
    ['hex escapes that make one character together', '\\xc3\\xa4', 'ä'],
    ['an x without digits stands for itself', '\\xg', 'xg'],
    ['any other escaped character stands for itself', '\\q\\"', 'q"'],
    ['a lone backslash at the end stands for itself', 'a\\', 'a\\'],
  ])('%s', (_, raw, expected) => {
    expect(decoded(raw)).toBe(expected);
  });

  test('decoding undoes encoding for any bytes and for NULL, and encoded bytes hold no tab or line break', () => {
    const field = fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes)));
    fc.assert(
      fc.property(field, (value) => {
        const raw = copyEncoded(value);
        expect(copyField(raw, 0, raw.length)).toEqual(value);
        expect(/[\t\n\r]/.test(raw.toString('latin1'))).toBe(false);
        expect(isCopyEnd(raw, 0, raw.length)).toBe(false);
      }),
    );
  });

  test('a row of encoded fields falls apart into the same fields', () => {
    const special = fc.constantFrom('\\', 'N', '\t', '\n', '.', 'x', '4', 'ä');
    const text = fc.array(special, { maxLength: 6 }).map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(fc.array(fc.option(text), { minLength: 1 }), (values) => {
        const line = Buffer.from(
          values.map((value) => copyEncoded(value).toString()).join('\t') + '\nnext\trow\n',
        );
        const row = new CopyRow();
        row.load(line, 0, line.indexOf('\n'));
        expect(row.count).toBe(values.length);
        expect(values.map((_, position) => row.field(position))).toEqual(values);
        expect([row.field(-1), row.field(values.length)]).toEqual([null, null]);
      }),
    );
  });
});

describe('a bytea', () => {
  test.each<[string, string, readonly number[] | null]>([
    ['hex digits of either case', '\\x00fFA0', [0, 255, 160]],
    ['no bytes', '\\x', []],
    ['no bytes in escape format', '', []],
    ['an odd number of digits is none', '\\x0', null],
    ['a character that is no digit makes it none', '\\x0g', null],
    ['the escape format', 'a\\\\b\\001\\377', [97, 92, 98, 1, 255]],
    ['the escape format may begin with an escaped backslash and an x', '\\\\x', [92, 120]],
    ['a backslash that escapes nothing makes it none', 'a\\9', null],
    ['octal beyond a byte makes it none', '\\400', null],
  ])('%s', (_, text, expected) => {
    expect(byteaBytes(Buffer.from(text))).toEqual(expected === null ? null : Buffer.from(expected));
  });

  test('both of its text forms give back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const original = Buffer.from(bytes);
        const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
        const escaped = [...original]
          .map((byte) =>
            byte === 0x5c ? '\\\\' : byte < 0x20 || byte > 0x7e ? octal(byte) : String.fromCharCode(byte),
          )
          .join('');
        expect(byteaBytes(Buffer.from(`\\x${original.toString('hex')}`))).toEqual(original);
        expect(byteaBytes(Buffer.from(escaped))).toEqual(original);
      }),
    );
  });
});
