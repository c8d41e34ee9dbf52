/** The graphics of a drawing: two characters a lane, lines between them, a mark for what stands on the line. */
import type { LaneLine } from '#analysis/explanation/lanes.ts';
import type { DrawnItem } from '#analysis/explanation/drawing.ts';
import type { Tone } from './style.ts';
import { piece, type Piece } from './tree-line.ts';

/** Marks and what they mean, for the legend. */
export const marks = {
  head: '◉',
  shown: '●',
  hidden: '○',
  gap: '┆',
  rootless: '◌',
} as const;

/** The mark of an item. */
export function markOf(item: DrawnItem): string {
  switch (item.kind) {
    case 'rootless':
      return marks.rootless;
    case 'gap':
      return marks.gap;
    case 'row':
      return item.row.isHead ? marks.head : item.row.isHidden ? marks.hidden : marks.shown;
  }
}

/** The graphics of a line, `lanes` lanes wide. */
export function laneGraph(line: LaneLine, lanes: number, mark: string, tone: Tone | null): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const isOpen = line.passing.includes(lane);
    const isCrossed = line.from !== null && lane > line.from && lane < line.lane;
    const isJoined = line.from !== null && lane >= line.from && lane < line.lane;
    if (lane === line.lane) pieces.push(piece(mark, tone));
    else if (lane === line.from) pieces.push(piece('├', 'faint'));
    else if (isCrossed) pieces.push(piece(isOpen ? '┼' : '─', 'faint'));
    else pieces.push(piece(isOpen ? '│' : ' ', 'faint'));
    pieces.push(piece(isJoined ? '─' : ' ', 'faint'));
  }
  return pieces;
}

/** The graphics of what continues a line: open lanes only. */
export function laneGraphBelow(line: LaneLine, lanes: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const isOpen = line.passing.includes(lane) || (lane === line.lane && line.below);
    pieces.push(piece(isOpen ? '│ ' : '  ', 'faint'));
  }
  return pieces;
}
