/**
 * Renames threads, nodes and ids to short neutral names, so that output can be shared and compared: a golden file
 * must not change with the clock. Rename what an analysis says, never the ids it reads: `b1` sorts before `z9`, and
 * the head is the greatest id. Keys of plain records stay, so data must not be a key of one.
 */

/** A renaming that gives each new text the next name and remembers it. */
export interface Relabelling {
  /** The name of a text; the same text always gets the same name. */
  readonly name: (text: string) => string;
  /** Everything renamed so far: original → name. */
  readonly names: ReadonlyMap<string, string>;
}

/** Names `prefix1`, `prefix2` … in the order asked for. */
export function relabelling(prefix: string): Relabelling {
  const names = new Map<string, string>();
  return {
    names,
    name: (text) => {
      const known = names.get(text);
      if (known !== undefined) return known;
      const name = `${prefix}${names.size + 1}`;
      names.set(text, name);
      return name;
    },
  };
}

/** `a`, `b` … `z`, `aa`, `ab` …: the letter of a branch by its number from 0. */
export function branchLetter(number: number): string {
  let letters = '';
  for (let rest = number; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
  }
  return letters;
}

/** Names for ids by branch: `a1, a2 …` along the first branch, `b1 …` along the next. */
export function branchNames(branches: readonly { readonly rows: readonly number[] }[]): Map<number, string> {
  const names = new Map<number, string>();
  branches.forEach((branch, number) => {
    branch.rows.forEach((row, place) => names.set(row, `${branchLetter(number)}${place + 1}`));
  });
  return names;
}

/**
 * Replaces ids inside any text or record by the names of a map, longest first so that no id is cut by a shorter one.
 * Walks lists, Maps and plain records; everything else is returned as it is.
 */
export function rename(value: unknown, names: ReadonlyMap<string, string>): unknown {
  const ordered = [...names].sort((a, b) => b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1));
  return renameWith(value, names, ordered);
}

function renameWith(
  value: unknown,
  names: ReadonlyMap<string, string>,
  ordered: readonly (readonly [string, string])[],
): unknown {
  if (typeof value === 'string') {
    const whole = names.get(value);
    if (whole !== undefined) return whole;
    return ordered.reduce(
      (text, [from, to]) => (from === '' ? text : text.replaceAll(from, () => to)),
      value,
    );
  }
  if (Array.isArray(value)) return value.map((item) => renameWith(item, names, ordered));
  if (value instanceof Map) {
    return new Map(
      [...(value as ReadonlyMap<unknown, unknown>)].map(([key, item]) => [
        renameWith(key, names, ordered),
        renameWith(item, names, ordered),
      ]),
    );
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renameWith(item, names, ordered)]),
  );
}
