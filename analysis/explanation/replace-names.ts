/**
 * Replaces names inside sentences, all at once: what one replacement wrote is never replaced again. Easy to get wrong:
 * a node may be called `a`, so a name counts only where it stands as a word of its own, and of two names that begin at
 * one place the longer one is meant.
 */

/** A function that replaces every name of `names` in a text. *Cost* of a call: text length times name lengths. */
export function nameReplacer(names: ReadonlyMap<string, string>): (text: string) => string {
  const lengths = [...new Set([...names.keys()].map((name) => name.length))]
    .filter((length) => length > 0)
    .sort((a, b) => b - a);
  return (text) => {
    let replaced = '';
    let copied = 0;
    for (let at = 0; at < text.length;) {
      const found = longestAt(text, at, lengths, names);
      if (found === null) at += 1;
      else {
        replaced += text.slice(copied, at) + (names.get(found) ?? found);
        at += found.length;
        copied = at;
      }
    }
    return copied === 0 ? text : replaced + text.slice(copied);
  };
}

function longestAt(
  text: string,
  at: number,
  lengths: readonly number[],
  names: ReadonlyMap<string, string>,
): string | null {
  for (const length of lengths) {
    if (at + length > text.length) continue;
    const name = text.slice(at, at + length);
    if (names.has(name) && !joinsWord(text, at) && !joinsWord(text, at + length)) return name;
  }
  return null;
}

/** Whether the characters on both sides of a place belong to one word. */
function joinsWord(text: string, place: number): boolean {
  return isWord(text[place - 1]) && isWord(text[place]);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
