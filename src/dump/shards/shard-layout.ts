/**
 * What is known of a source's tables once its text was read, in a form that travels between threads. Easy to get
 * wrong: a table that the source does not hold is not an empty table, and one thread id in two schemas is two threads.
 */
import type { DumpSection } from '../dump-tables.ts';
import { tableText } from '../sql-literal.ts';
import type { TableKind, TableLayout } from '../table-layout.ts';
import { placeName, type TablePlace } from '../table-place.ts';

/** The three tables of one schema. */
export interface PlaceLayout {
  readonly place: TablePlace;
  /** What reports call the schema; null where all rows come from one. */
  readonly label: string | null;
  /** The tables that the source holds, if only without rows. */
  readonly kinds: ReadonlySet<TableKind>;
  readonly isShallow: boolean;
}

/** One section: the rows of one table in one column order. */
export interface SectionLayout {
  /** As SQL names the table; a partition under its own name. */
  readonly name: string;
  /** Index into the places. */
  readonly place: number;
  readonly layout: TableLayout;
}

/** All of a source's tables. Survives structured cloning. */
export interface SourceLayout {
  /** How messages call the source. */
  readonly source: string;
  readonly places: readonly PlaceLayout[];
  readonly sections: readonly SectionLayout[];
}

interface OpenPlace {
  readonly place: TablePlace;
  readonly kinds: Set<TableKind>;
  isShallow: boolean;
  rows: number;
}

/** Collects places and sections while a text is read. */
export class LayoutCollector {
  readonly #places: OpenPlace[] = [];
  readonly #sections: {
    readonly section: DumpSection;
    readonly place: number;
    readonly layout: TableLayout;
  }[] = [];
  readonly #known = new Map<DumpSection, number>();

  /** The places announced so far. */
  get places(): readonly TablePlace[] {
    return this.#places.map(({ place }) => place);
  }

  /** The source holds the data of this section's table; returns the section's index, or null when nobody reads it. */
  announce(section: DumpSection): number | null {
    const known = this.#known.get(section);
    if (known !== undefined) return known;
    const { layout } = section;
    if (layout === null) return null;
    const place = this.#placeOf(section.place);
    const open = this.#places[place];
    open?.kinds.add(layout.kind);
    if (open !== undefined) open.isShallow ||= layout.isShallow;
    this.#known.set(section, this.#sections.length);
    this.#sections.push({ section, place, layout });
    return this.#sections.length - 1;
  }

  /** Rows of a section were kept. */
  count(section: number, rows: number): void {
    const place = this.#places[this.#sections[section]?.place ?? -1];
    if (place !== undefined) place.rows += rows;
  }

  /** What was collected. `source`: how messages call it. */
  layout(source: string): SourceLayout {
    const filled = this.#places.filter(({ rows }) => rows > 0);
    return {
      source,
      places: this.#places.map(({ place, kinds, isShallow }) => ({
        place,
        label: labelOf(place, filled),
        kinds,
        isShallow,
      })),
      sections: this.#sections.map(({ section, place, layout }) => ({
        name: tableText(section.name),
        place,
        layout,
      })),
    };
  }

  #placeOf({ database, schema }: TablePlace): number {
    const found = this.#places.findIndex(
      ({ place }) => place.database === database && place.schema === schema,
    );
    if (found >= 0) return found;
    this.#places.push({ place: { database, schema }, kinds: new Set(), isShallow: false, rows: 0 });
    return this.#places.length - 1;
  }
}

/** Null when all rows come from one place, so that reports of ordinary dumps do not repeat `public`. */
function labelOf(place: TablePlace, filled: readonly OpenPlace[]): string | null {
  if (filled.length < 2) return null;
  const isOneDatabase = filled.every((open) => open.place.database === place.database);
  return isOneDatabase || place.database === null ? place.schema : placeName(place);
}
