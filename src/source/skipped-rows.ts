/** Rows that could not be read and were left out: how many of which table, and where the first of them stand. */
import { describePlace } from '../dump/dump-place.ts';
import type { SkippedRow } from '../dump/shards/shard-thread.ts';

/** Counts by table, and examples. Plain data, so that it can be sent. */
export interface SkippedSummary {
  readonly byTable: ReadonlyMap<string, number>;
  /** At most {@link mostExamples}: place and reason. */
  readonly examples: readonly string[];
}

/** So many places are told. */
export const mostExamples = 5;

/** Collects; its size does not grow with the number of rows. */
export class SkippedRows implements SkippedSummary {
  readonly byTable = new Map<string, number>();
  readonly examples: string[] = [];

  /** How many rows in all. */
  get count(): number {
    let count = 0;
    for (const rows of this.byTable.values()) count += rows;
    return count;
  }

  get summary(): SkippedSummary {
    return { byTable: this.byTable, examples: this.examples };
  }

  add({ place, reason }: SkippedRow): void {
    const table = place.table ?? '';
    this.byTable.set(table, (this.byTable.get(table) ?? 0) + 1);
    if (this.examples.length < mostExamples) this.examples.push(`${describePlace(place)}: ${reason}`);
  }

  /** Adds what was left out elsewhere. */
  merge({ byTable, examples }: SkippedSummary): void {
    for (const [table, rows] of byTable) this.byTable.set(table, (this.byTable.get(table) ?? 0) + rows);
    this.examples.push(...examples.slice(0, mostExamples - this.examples.length));
  }
}
