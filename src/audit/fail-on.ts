/**
 * `--fail-on`: what an operator will not have in a source, whatever its severity. Easy to get wrong: `race` is not
 * `undeclared-fork`, since a fork of which rows cannot tell what made it is undeclared and no proven race.
 */
import { findingKinds, type FindingKind } from '#analysis/model/finding.ts';
import type { SourceSummary } from './thread-verdicts.ts';

/** Counts beside those of findings, and what one of each is called. */
const counted = {
  race: 'undeclared forks proved to be races',
  forks: 'forks, declared ones included',
  hidden: 'hidden executions',
  unrecorded: 'logged executions that no row records',
  unlogged: 'executions that the log lacks',
  pending: 'executions that are finished and not committed',
  unknown: 'threads that cannot be judged',
} as const;

/** What can be counted: instances of a kind of finding, or one of the counts above. */
export type Measure = FindingKind | keyof typeof counted;

/** A bound on a count. */
export interface Threshold {
  /** As the operator wrote it. */
  readonly text: string;
  readonly measure: Measure;
  /** The greatest count that is accepted. */
  readonly most: number;
}

/** A threshold that a source breaks. */
export interface BrokenThreshold {
  readonly threshold: Threshold;
  readonly count: number;
}

/** Every name that a threshold can have. */
export const measures: readonly Measure[] = [
  ...(Object.keys(counted) as (keyof typeof counted)[]),
  ...findingKinds,
];

/** Reads `race,shared-blob,hidden>10,forks>=3`; a bare name means more than none. */
export function parseFailOn(
  text: string,
):
  | { readonly kind: 'thresholds'; readonly thresholds: readonly Threshold[] }
  | { readonly kind: 'refused'; readonly message: string } {
  const thresholds: Threshold[] = [];
  for (const part of text.split(',').map((item) => item.trim())) {
    const [, name = '', operator, number] = /^([a-z-]+)\s*(?:(>=?)\s*(\d{1,15}))?$/.exec(part) ?? [];
    const measure = measures.find((known) => known === name);
    if (measure === undefined) return { kind: 'refused', message: refusal(part, name) };
    const bound = number === undefined ? 0 : Number(number);
    const most = operator === '>=' ? bound - 1 : bound;
    if (most < 0) return { kind: 'refused', message: `${part} is always broken; write ${name}>0` };
    thresholds.push({ text: part, measure, most });
  }
  return { kind: 'thresholds', thresholds };
}

function refusal(part: string, name: string): string {
  if (part === '') return 'it names nothing between two commas';
  if (name === '') return `${JSON.stringify(part)} is neither a name nor a bound such as hidden>0`;
  return `there is nothing called ${name} to count; there is ${measures.join(', ')}`;
}

/** The thresholds that a source breaks, in their order. */
export function brokenThresholds(
  thresholds: readonly Threshold[],
  summary: SourceSummary,
): readonly BrokenThreshold[] {
  return thresholds
    .map((threshold) => ({ threshold, count: countOf(threshold.measure, summary) }))
    .filter(({ threshold, count }) => count > threshold.most);
}

function countOf(measure: Measure, { totals, nodes, races, verdicts }: SourceSummary): number {
  switch (measure) {
    case 'race':
      return races;
    case 'forks':
      return totals.forks;
    case 'unknown':
      return verdicts.unknown;
    case 'hidden':
    case 'unrecorded':
    case 'unlogged':
    case 'pending': {
      let sum = 0;
      for (const node of nodes.values()) sum += node[measure];
      return sum;
    }
    default:
      return totals.findings.get(measure) ?? 0;
  }
}

/** One sentence: which threshold, what was counted, and by how much it is too many. */
export function brokenSentence({ threshold, count }: BrokenThreshold): string {
  const { text, measure, most } = threshold;
  const what = measure in counted ? counted[measure as keyof typeof counted] : `findings of ${measure}`;
  const excess = most === 0 ? 'none is accepted' : `${count - most} more than the ${most} accepted`;
  return `--fail-on ${text} is broken: ${count} ${what}; ${excess}.`;
}
