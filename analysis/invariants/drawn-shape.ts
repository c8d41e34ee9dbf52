/**
 * Graph shapes drawn as text, for tests that read as drawings. Names here are plain words; a name of any other spelling
 * needs a shape written out.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { GraphShape } from '#analysis/model/invariant.ts';

/** `> a` an edge from START, `a > b` a plain edge, `a + b > c` a barrier, `* a` a Send can reach a, `z a` a waits for all. */
export function drawnShape(nodes: string, ...lines: readonly string[]): GraphShape {
  const names = (text: string): NodeName[] => text.split(/[ +]+/).filter((name) => name !== '') as NodeName[];
  const marked = (mark: string): NodeName[] =>
    lines.filter((line) => line.startsWith(`${mark} `)).flatMap((line) => names(line.slice(2)));
  const arrows = lines.filter((line) => line.includes('>')).map((line) => line.split('>').map(names));
  const from = (arrow: readonly NodeName[][]): NodeName[] => arrow[0] ?? [];
  const to = (arrow: readonly NodeName[][]): NodeName => (arrow[1] ?? [])[0] as NodeName;
  return {
    nodes: names(nodes),
    edges: arrows
      .filter((arrow) => from(arrow).length < 2)
      .map((arrow) => ({ from: from(arrow)[0] ?? null, to: to(arrow) })),
    barriers: arrows
      .filter((arrow) => from(arrow).length > 1)
      .map((arrow) => ({ from: from(arrow), to: to(arrow) })),
    unbounded: marked('*'),
    deferred: marked('z'),
  };
}
