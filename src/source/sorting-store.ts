/**
 * A store of rows that looks at them as they pass: which schemas there are, which names are nodes, and which rows are
 * wanted. Easy to get wrong: a table of another schema must not be announced either, or its
 * absence here would pass for emptiness.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { memoryStore, type TablePlace, type ThreadStore } from '../dump/thread-store.ts';
import type { DecodedRow } from '../dump/row-decoder.ts';
import type { TableKind } from '../dump/table-layout.ts';
import { RowNodes } from './row-nodes.ts';
import type { SourceFilter } from './source.ts';

/** Hands rows of the wanted schema on to another store. */
export class SortingStore implements ThreadStore {
  readonly #store: ThreadStore;
  readonly #schema: string | null;
  readonly #threads: ReadonlySet<string> | null;
  readonly #places: TablePlace[] = [];
  /** Threads that only other schemas hold, or these too. */
  readonly elsewhere = new Set<string>();
  /** Null where nobody asks for the nodes. */
  readonly nodes: RowNodes | null;

  /** `nodes`: whether names of nodes are collected, also from threads that are not wanted. */
  constructor({ schema, threads }: SourceFilter, nodes: boolean, store: ThreadStore = memoryStore()) {
    this.#schema = schema;
    this.#threads = threads;
    this.#store = store;
    this.nodes = nodes ? new RowNodes() : null;
  }

  /** The schemas whose tables were announced, wanted or not. */
  get schemas(): readonly string[] {
    return [...new Set(this.#places.map(placeName))].sort();
  }

  /** Whether tables of the schema were announced. */
  holds(schema: string): boolean {
    return this.#places.some((place) => isOf(place, schema));
  }

  addTable(place: TablePlace, kind: TableKind, isShallow: boolean): void {
    this.#note(place);
    if (this.#isWanted(place)) this.#store.addTable(place, kind, isShallow);
  }

  add(place: TablePlace, row: DecodedRow): void {
    if (!this.#isWanted(place)) {
      this.elsewhere.add(row.row.thread);
      return;
    }
    this.nodes?.add(row);
    if (this.#threads?.has(row.row.thread) === false) return;
    this.#store.add(place, row);
  }

  async *threads(): AsyncGenerator<ThreadRows> {
    for await (const rows of this.#store.threads()) {
      yield this.#schema === null ? rows : { ...rows, schema: rows.schema ?? this.#schema };
    }
  }

  #isWanted(place: TablePlace): boolean {
    return this.#schema === null || isOf(place, this.#schema);
  }

  #note(place: TablePlace): void {
    const known = this.#places.some(
      ({ database, schema }) => database === place.database && schema === place.schema,
    );
    if (!known) this.#places.push(place);
  }
}

function isOf(place: TablePlace, schema: string): boolean {
  return place.schema === schema || placeName(place) === schema;
}

function placeName({ database, schema }: TablePlace): string {
  return database === null ? schema : `${database}.${schema}`;
}
