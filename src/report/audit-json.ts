/**
 * `forkscope-audit/1`, the report for machines. Maps become objects by defining own properties, so a node named
 * `__proto__` is a key like any other. Keys may be added to the format; none is ever renamed.
 */
import type { NodeCounts, NamespaceReport, ThreadReport } from '#analysis/model/report.ts';
import type { SourceSummary } from '../audit/thread-verdicts.ts';

/** Which kind of source was audited, and where. Never a DSN with its password. */
export interface SourceName {
  readonly kind: 'dump' | 'database' | 'run';
  readonly name: string;
}

/** The whole report as one JSON text; `threads` are those the caller chose to list. */
export function auditJson(
  source: SourceName,
  summary: SourceSummary,
  threads: readonly ThreadReport[],
): string {
  const { verdict, totals, undecided } = summary;
  return JSON.stringify(
    {
      format: 'forkscope-audit/1',
      source,
      verdict,
      totals: totalsObject(totals),
      undecided,
      threads: threads.map(threadObject),
    },
    null,
    2,
  );
}

/** One thread as one line of ndjson, without its line feed. */
export function threadLine(report: ThreadReport): string {
  return JSON.stringify(threadObject(report));
}

/** The last line of ndjson. */
export function totalsLine(source: SourceName, summary: SourceSummary): string {
  const { verdict, totals } = summary;
  return JSON.stringify({ format: 'forkscope-audit/1', source, verdict, totals: totalsObject(totals) });
}

function totalsObject(totals: SourceSummary['totals']): unknown {
  return { ...totals, findings: objectOf(totals.findings) };
}

function threadObject(report: ThreadReport): unknown {
  const { schema, log, unrecorded, namespaces, ...rest } = report;
  return {
    ...(schema === null ? {} : { schema }),
    ...rest,
    log: countsObject(log),
    unrecorded: objectOf(unrecorded),
    namespaces: namespaces.map(namespaceObject),
  };
}

function namespaceObject(report: NamespaceReport): unknown {
  const { executions, hidden, ...rest } = report;
  const { tree, head, maxPath, pending, log, ...others } = executions;
  return {
    ...rest,
    executions: {
      ...others,
      tree: objectOf(tree),
      head: objectOf(head),
      maxPath: objectOf(maxPath),
      pending: objectOf(pending),
      log: countsObject(log),
    },
    hidden: objectOf(hidden),
  };
}

function countsObject(counts: NodeCounts | null): unknown {
  return counts === null ? null : objectOf(counts);
}

/** `Object.fromEntries` defines properties and never calls a setter. */
function objectOf(map: ReadonlyMap<string, unknown>): unknown {
  return Object.fromEntries(map);
}
