/**
 * Analyses one shard and sums it up where it is, so that only the sums and the threads worth telling travel. Easy to
 * get wrong: what travels is kept small, but it must add up to what the reports themselves would have told.
 */
import type { AnalysisOptions } from '#analysis/model/evidence.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { ShardMemory } from '../dump/shards/shard-memory.ts';
import { wantsSecondLook } from '../dump/wanted-values.ts';
import { wantedThreads, type ShardNotes, type ShardTask } from '../source/shard-threads.ts';
import { SkippedRows, type SkippedSummary } from '../source/skipped-rows.ts';
import { isListed, type Listing } from './listed-threads.ts';
import { analyserFor } from './prepared-analyser.ts';
import { SourceTally, type SourceSummary } from './thread-verdicts.ts';
import { WorstThreads } from './worst-threads.ts';

/** A shard, what is asked of its threads, and which reports are wanted. */
export interface ShardAuditTask {
  readonly shard: ShardTask;
  readonly options: AnalysisOptions;
  /** `worst`: at most so many of the worst; `listed`: all that the listing asks for. */
  readonly reports:
    | { readonly kind: 'worst'; readonly limit: number; readonly listing: Listing }
    | { readonly kind: 'listed'; readonly listing: Listing };
}

/** What a shard comes to. */
export interface ShardAudit {
  readonly summary: SourceSummary;
  /** In the order of the shard; of `worst`, worst first. */
  readonly reports: readonly ThreadReport[];
  /** Which of the threads that were asked for by name the shard holds. */
  readonly seen: readonly string[];
  readonly skipped: SkippedSummary;
}

/** Of this thread of the process: a shard's rows are done with when its sums are there. */
const memory = new ShardMemory();

/** Analyses a shard. *Fails* with OperatorError for a row that cannot be decoded. */
export async function auditShard({ shard, options, reports }: ShardAuditTask): Promise<ShardAudit> {
  const analyse = await analyserFor(options);
  const sums = new SourceTally();
  const told: ThreadReport[] = [];
  const worst = new WorstThreads(reports.kind === 'worst' ? reports.limit : 0, reports.listing);
  const seen: string[] = [];
  const notes: ShardNotes = { elsewhere: new Set(), skipped: new SkippedRows() };
  for (const { rows, complete } of wantedThreads(shard, notes, memory)) {
    let report = await analyse({ rows, log: null, runs: null });
    if (complete !== null && wantsSecondLook(report)) {
      report = await analyse({ rows: complete(), log: null, runs: null });
    }
    sums.add(report);
    if (shard.threads !== null) seen.push(report.thread);
    if (reports.kind === 'worst') worst.add(report);
    else if (isListed(report, reports.listing)) told.push(report);
  }
  return {
    summary: sums.summary,
    reports: reports.kind === 'worst' ? worst.reports : told,
    seen,
    skipped: notes.skipped.summary,
  };
}
