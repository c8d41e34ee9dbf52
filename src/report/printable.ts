/**
 * Text from data made safe to show on a terminal. Thread ids and node names are anything (escape sequences, line
 * feeds, right-to-left marks, 60 KB); a reader must see what they are and never be moved by them.
 */

/** C0 and C1 controls, DEL, line and paragraph separators, bidirectional controls, zero-width marks, BOM, lone surrogates. */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes what a terminal would act on, doubles backslashes that would look like an escape of ours, and cuts text
 * longer than `maxCharacters` in the middle, saying how much is left out.
 */
export function printable(text: string, maxCharacters = 120): string {
  const characters = Array.from(text);
  if (characters.length > maxCharacters) {
    const keep = Math.floor(maxCharacters / 2);
    const left = escaped(characters.slice(0, keep).join(''));
    const right = escaped(characters.slice(-keep).join(''));
    return `${left}…(${characters.length - 2 * keep} characters more)…${right}`;
  }
  return escaped(text);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(unsafe, (character) => {
    return named[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
