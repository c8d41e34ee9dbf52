/** What a report says of its source before it says anything of a thread: where it is, and which log was joined how. */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { LedgersSummary } from './ledgers-summary.ts';
import type { NodeTotals } from './node-tally.ts';
import type { EffectsLog } from '../source/effects-log.ts';
import type { EffectsMapping } from '../source/effects-map.ts';
import { mapText } from '../source/field-map.ts';
import type { Source, SourceName, SurveyedSource } from '../source/source.ts';
import { namesWithoutNode } from '../source/with-effects.ts';
import type { SourceDamage } from './source-damage.ts';

/** The operator's log as a whole. */
export interface LogSummary {
  readonly file: string;
  readonly mapping: EffectsMapping;
  readonly records: number;
  /** Names that no row shows as a node; their records are notes and never called unrecorded. */
  readonly notNodes: readonly {
    readonly name: NodeName;
    readonly records: number;
    readonly threads: number;
  }[];
  /** File, records and mapping, for people. */
  readonly sentence: string;
}

/** A source as reports name it. */
export interface AuditedSource {
  readonly name: SourceName;
  /** Null when the operator gave no log. */
  readonly log: LogSummary | null;
  /** What the source counted where it tells the suspicious threads only; absent: it tells all. */
  readonly survey?: SurveyedSource;
  /** What was left out, where the operator asked to go on after faults; absent: he did not, and all was read. */
  readonly damage?: SourceDamage;
  /** What was joined with it beside a log; absent: nothing. */
  readonly ledgers?: LedgersSummary;
}

const originText: Readonly<Record<EffectsMapping['origin'], string>> = {
  given: 'fields as --effects-map says',
  forkscope: "fields recognised as forkscope's own",
  langgraph: 'fields recognised as those LangGraph tells a node',
};

/** Sums a log up. */
export function logSummary(source: Source, log: EffectsLog): LogSummary {
  const { file, mapping, records } = log;
  const notNodes = namesWithoutNode(source, log).map(({ name, records: times, threads }) => ({
    name,
    records: times,
    threads,
  }));
  const count = `${records} ${records === 1 ? 'record' : 'records'}`;
  const sentence = `${count} in ${file}, ${originText[mapping.origin]} (${mapText(mapping.map)})`;
  return { file, mapping, records, notNodes, sentence };
}

/**
 * The source after its threads were analysed: recomputed task ids may have shown a name to be a functional task, which
 * single rows do not.
 */
export function withoutFoundNodes(
  source: AuditedSource,
  nodes: ReadonlyMap<NodeName, NodeTotals>,
): AuditedSource {
  const { log } = source;
  if (log === null) return source;
  const ran = (node: NodeName): boolean => {
    const totals = nodes.get(node);
    return totals !== undefined && totals.tree + totals.pending > 0;
  };
  return { ...source, log: { ...log, notNodes: log.notNodes.filter((entry) => !ran(entry.name)) } };
}
