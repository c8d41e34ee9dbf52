import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each([
  ['user-42', 'user-42'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['-x', "'-x'"],
  ['$(reboot)', "'$(reboot)'"],
  ['Zoë', "'Zoë'"],
  ['a\u001b[2Jb', "$'a\\u001b[2Jb'"],
  ["\n'\\", "$'\\u000a\\'\\\\'"],
  ['\u202egnp', "$'\\u202egnp'"],
  ['', "''"],
])('%j is typed as %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

test.each([['\ud800'], ['a\0b'], ['x'.repeat(301)]])('%j is not offered', (text) => {
  expect(shellWord(text)).toBeNull();
});

test('bash reads the word back as the text, and it moves no terminal', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 50, maxLength: 50 });
  fc.assert(
    fc.property(texts, (all) => {
      const offered = all.filter((text) => shellWord(text) !== null);
      const words = offered.map((text) => shellWord(text) ?? '');
      expect(words.join('')).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/,
      );
      const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${words.join(' ')}`], {
        env: { LC_ALL: 'C.UTF-8' },
        // A shell that finds a socket there reads the user's own set-up.
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(printed.toString('utf8').split('\0').slice(0, words.length)).toEqual(offered);
    }),
    { numRuns: 20 },
  );
});
