/**
 * Which of many names did somebody probably mean? A name that contains the text comes first (people paste parts of
 * ids), then the ones that fewest edits make equal. Easy to get wrong: names may be 60 KB long, and distance costs the
 * product of two lengths.
 */

/** Characters of a name that are compared. */
const compared = 200;

/** The `most` names nearest to `text`, nearest first. *Cost*: the names times the square of their compared length. */
export function nearestNames(text: string, names: Iterable<string>, most: number): readonly string[] {
  const wanted = text.slice(0, compared);
  const best: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names) {
    const distance = contains(name, text) ? 0 : editDistance(wanted, name.slice(0, compared));
    const place = best.findIndex(
      (other) => distance < other.distance || (distance === other.distance && name < other.name),
    );
    if (place >= 0) best.splice(place, 0, { name, distance });
    else if (best.length < most) best.push({ name, distance });
    if (best.length > most) best.pop();
  }
  return best.map(({ name }) => name);
}

function contains(name: string, text: string): boolean {
  return text !== '' && name.includes(text);
}

/** Levenshtein's distance: the least number of characters inserted, removed or replaced. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      here.push(Math.min(replaced, (above[column] ?? 0) + 1, (here[column - 1] ?? 0) + 1));
    }
    above = here;
  }
  return above[b.length] ?? 0;
}
