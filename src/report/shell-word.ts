/**
 * A text as one word of a command line that can be pasted into bash or zsh. Easy to get wrong: a thread id is anything,
 * so what a shell or a terminal would act on is spelled out, and a text that cannot be spelled is not offered at all.
 */

const harmless = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

/** Printable ASCII, and letters and digits of any script: what a terminal shows as it is. */
const showable = /^[\u0020-\u007e\p{L}\p{N}]*$/u;

const longest = 300;

/** The word; null for a text that is too long to be typed or has no bytes in UTF-8. */
export function shellWord(text: string): string | null {
  if (text.length > longest || /\p{Cs}/u.test(text) || text.includes('\0')) return null;
  if (harmless.test(text)) return text;
  if (showable.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  let spelled = '';
  for (const character of text)
    spelled += showable.test(character) ? ansiQuoted(character) : codeOf(character);
  return `$'${spelled}'`;
}

function ansiQuoted(character: string): string {
  return character === '\\' || character === "'" ? `\\${character}` : character;
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
