/**
 * What can be audited: anything that gives the evidence of one thread after another. Easy to get wrong: whether a name
 * in a log is a node shows only in all rows together, so a source says which names it saw before its first thread.
 */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { ShardTask } from './shard-threads.ts';
import type { SkippedRows } from './skipped-rows.ts';
import type { Ledgers } from './ledgers.ts';

/** Which kind of source was audited, and where. Never a DSN with its password. */
export interface SourceName {
  readonly kind: 'dump' | 'database' | 'run';
  readonly name: string;
}

/** An opened source. */
export interface Source {
  readonly name: SourceName;
  /** What the source itself knows to ask: a series' own graph and the rules derived from it. */
  readonly options: AnalysisOptions;
  /** Names that some row shows as a node; null when the source's options name its nodes. */
  readonly nodes: ReadonlySet<NodeName> | null;
  /** Threads that the filter left out although the source holds them: a log's records of these are not lost rows. */
  readonly elsewhere: ReadonlySet<string>;
  /** Every thread once, in the same order on every reading. May be called once. */
  threads(): AsyncIterable<ThreadEvidence>;
  /** The same threads in parts that other threads of the process can read and analyse; absent: there is no such way. */
  readonly shards?: SourceShards;
  /** What was wrong with the source as a whole, where the operator asked to go on; absent: nothing. */
  readonly faults?: readonly Error[];
  /** Rows left out so far because they could not be read; complete after the last thread. */
  readonly skipped?: SkippedRows;
  /** What the source counted itself, where it tells the suspicious threads only; absent: it tells all. */
  readonly survey?: SurveyedSource;
  /** What was joined with it beside an effect log: runs, leases, a moment; absent: nothing. */
  readonly ledgers?: Ledgers;
  /** Gives memory, files and connections back; absent: the source holds none. */
  readonly close?: () => void;
}

/** Exact counts over all threads of a source of which only some are told, the others being proved ordinary. */
export interface SurveyedSource {
  readonly threads: number;
  readonly namespaces: number;
  readonly checkpoints: number;
  /** How many threads are told. */
  readonly analysed: number;
  /** How many of these for which reason; a thread may have several. */
  readonly marks: ReadonlyMap<string, number>;
}

/** A source in parts. */
export interface SourceShards {
  /** The function of the source that gives the same threads; a source made from another one replaces it. */
  readonly replaces: Source['threads'];
  /** Every part, in the order of the threads. */
  readonly tasks: () => Iterable<ShardTask>;
  /** Takes the memory of a task's rows back. */
  readonly reuse: (memory: ArrayBuffer) => void;
}

/** Which part of a source is wanted; null: all of it. */
export interface SourceFilter {
  readonly threads: ReadonlySet<string> | null;
  /** Only where one source holds the tables of several schemas. */
  readonly schema: string | null;
}
