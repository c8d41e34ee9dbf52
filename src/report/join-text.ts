/** How a log was joined to the rows and how sure that is, in sentences. */
import type { JoinCounts } from '#analysis/model/report.ts';
import type { AuditedSource } from '../audit/audited-source.ts';
import { printable } from './printable.ts';

const ways: readonly (readonly [keyof JoinCounts, string])[] = [
  ['exact', 'by checkpoint, task and run (certain)'],
  ['task', 'by checkpoint and task (certain of the task, not of the run)'],
  ['run', 'by run and node (certain of the run, not of the superstep)'],
  ['time', 'by node and order of time (a guess)'],
  ['none', 'on no edge'],
];

/** More names than this are counted, not listed. */
const mostNames = 12;

/** One line each: the log, its join, and names that are no node. Empty without a log. */
export function joinText({ log }: AuditedSource, join: JoinCounts | null): readonly string[] {
  if (join === null) return [];
  const parts = ways.filter(([way]) => join[way] > 0).map(([way, text]) => `${join[way]} ${text}`);
  const executions = `executions of the log: ${parts.length === 0 ? 'none' : parts.join(', ')}`;
  if (log === null) return [executions];
  return [`log: ${printable(log.sentence, 900)}`, executions, ...notNodesText(log.notNodes)];
}

function notNodesText(names: NonNullable<AuditedSource['log']>['notNodes']): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostNames).map(({ name, records, threads }) => {
    return `${printable(name, 60)} (${records} in ${threads} ${threads === 1 ? 'thread' : 'threads'})`;
  });
  const more = names.length > mostNames ? [`and ${names.length - mostNames} more`] : [];
  return [`in the log, but no node of the graph: ${[...shown, ...more].join(', ')}`];
}
