/**
 * A line of a drawn tree before it is text: graphics on the left, phrases on the right, and how both become lines of a
 * given width. Easy to get wrong: a phrase that moves to a continuation line must keep the lanes beside it open, and
 * colours must not count as width.
 */
import { paint, type Palette, type Tone } from './style.ts';

/** A printable text with its tone; null for none. */
export interface Piece {
  readonly text: string;
  readonly tone: Tone | null;
}

/** Makes a piece. */
export function piece(text: string, tone: Tone | null = null): Piece {
  return { text, tone };
}

/** One line of a tree. */
export interface TreeLine {
  /** Graphics of the line itself and of the lines that continue it, equally wide. */
  readonly graph: readonly Piece[];
  readonly graphBelow: readonly Piece[];
  /** Columns: stand on the first line, unbroken. */
  readonly columns: readonly Piece[];
  /** Phrases: separated by two spaces, broken between phrases and, where one is too long, between words. */
  readonly phrases: readonly Piece[];
}

/** A phrase is given at least this much room, whatever the columns took. */
const leastRoom = 24;
const gap = 2;

/** Lines of at most `width` characters where the graphics leave room for that. */
export function treeText(line: TreeLine, width: number, palette: Palette): readonly string[] {
  const graphWidth = widthOf(line.graph);
  const columnsWidth = widthOf(line.columns);
  const indent = graphWidth + columnsWidth + gap + leastRoom <= width ? columnsWidth + gap : 2;
  const rows: Piece[][] = [[...line.columns]];
  let used = graphWidth + columnsWidth;
  for (const phrase of line.phrases) {
    let words = phrase.text;
    let row = rows.at(-1) ?? [];
    let room = width - used - gap;
    const isAlone = lengthOf(words) <= width - graphWidth - indent;
    if (used > graphWidth && lengthOf(words) > room && (isAlone || room < leastRoom)) {
      row = [piece(' '.repeat(indent))];
      rows.push(row);
      room = width - graphWidth - indent;
    } else if (used > graphWidth) row.push(piece(' '.repeat(gap)));
    else room = width - graphWidth;
    for (;;) {
      const cut = breakAt(words, Math.max(leastRoom, room));
      row.push(piece(cut === null ? words : words.slice(0, cut).trimEnd(), phrase.tone));
      if (cut === null) break;
      words = words.slice(cut).trimStart();
      row = [piece(' '.repeat(indent))];
      rows.push(row);
      room = width - graphWidth - indent;
    }
    used = graphWidth + widthOf(row);
  }
  return rows.map((pieces, nth) =>
    painted([...(nth === 0 ? line.graph : line.graphBelow), ...pieces], palette),
  );
}

/** Pieces as one line, without spaces at its end. */
function painted(pieces: readonly Piece[], palette: Palette): string {
  const text = pieces.map(({ text, tone }) =>
    tone === null || text.trim() === '' ? text : paint(palette, tone, text),
  );
  return text.join('').trimEnd();
}

/** Where to break a text so that at most `room` characters come before; null when it fits or has no better place. */
function breakAt(text: string, room: number): number | null {
  if (lengthOf(text) <= room) return null;
  const characters = Array.from(text);
  const space = characters.slice(0, room + 1).lastIndexOf(' ');
  const place = space > 0 ? space : room;
  return characters.slice(0, place).join('').length;
}

/** Columns that pieces take, as far as one character is one column. */
export function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + lengthOf(text), 0);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
