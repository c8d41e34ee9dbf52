/**
 * What is known of the recorded dumps from elsewhere than their rows: counts made by SQL, and the tasks that nodes
 * logged while they ran. Easy to get wrong: a node logs what it did although its rows may never have landed.
 */
import { fixtureBytes } from './read-all.ts';

/** One recorded set. */
export interface ExpectedRows {
  readonly writer: 'js' | 'python';
  readonly totals: {
    readonly threads: number;
    readonly checkpoints: number;
    readonly blobs: number;
    readonly writes: number;
  };
  /** Thread → namespace → rows of `checkpoints`. Threads without such rows are absent. */
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** (thread, namespace of the task's place, parent checkpoint, step, task, node) as the node itself logged it. */
  readonly tasks: readonly (readonly [string, string, string, number, string, string])[];
}

const expected = JSON.parse(fixtureBytes('expected.json.gz').toString()) as Readonly<
  Record<string, ExpectedRows>
>;

/** The names of the sets. */
export const recordedSets: readonly string[] = Object.keys(expected);

/** What is known of a set. */
export function expectedRows(set: string): ExpectedRows {
  const known = expected[set];
  if (known === undefined) throw new Error(`no recorded set is named ${set}`);
  return known;
}
