import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textLines, type TextLine } from './text-lines.ts';

async function linesOf(text: string | Buffer, size: number): Promise<readonly TextLine[]> {
  const bytes = Buffer.from(text);
  const lines: TextLine[] = [];
  for await (const line of textLines(chunks(bytes, size), 'log')) lines.push(line);
  return lines;
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('bytes as lines', () => {
  test('end at line feeds only, whatever the chunks', async () => {
    const unit = fc.constantFrom('a', 'ä', '\u{1f600}', '\u{2028}', '\u{2029}', '\u{85}', '\r', ' ', '\u{b}');
    const line = fc.string({ unit, minLength: 1 }).map((text) => `x${text}x`);
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (texts, size) => {
        const read = await linesOf(texts.map((text) => `${text}\n`).join(''), size);
        expect(read.map(({ text }) => text)).toEqual(texts);
      }),
    );
  });

  test('are numbered with the blank ones, which are left out', async () => {
    expect(await linesOf('a\r\n\r\n  \nb', 2)).toEqual([
      { text: 'a', number: 1, isEnded: true },
      { text: 'b', number: 4, isEnded: false },
    ]);
  });

  test('may end in the middle of a character, where their writer was killed', async () => {
    const cut = Buffer.from('a\nb\u{1f600}').subarray(0, -1);
    expect(await linesOf(cut, 3)).toMatchObject([{ text: 'a' }, { text: 'b', isEnded: false }]);
  });

  test('that are no UTF-8 are refused by number', async () => {
    await expect(linesOf(Buffer.from([0x61, 0x0a, 0xff, 0x0a]), 9)).rejects.toThrow('log, line 2');
  });
});
