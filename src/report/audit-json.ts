/**
 * `forkscope-audit/1`, the report for machines. Maps become objects by defining own properties, so a node named
 * `__proto__` is a key like any other. Keys may be added to the format; none is ever renamed. Threads are written as
 * they come, because a source may hold more of them than fit in memory; the totals therefore stand last.
 */
import type { NodeCounts, NamespaceReport, ThreadReport } from '#analysis/model/report.ts';
import type { AuditedSource } from '../audit/audited-source.ts';
import type { SourceDamage } from '../audit/source-damage.ts';
import type { LedgersSummary } from '../audit/ledgers-summary.ts';
import type { SourceSummary } from '../audit/thread-verdicts.ts';
import { timeText } from './ledger-text.ts';
import type { SourceName, SurveyedSource } from '../source/source.ts';

/** The name of the format, its first key. */
export const auditFormat = 'forkscope-audit/1';

/** Writes one report as one JSON object; `thread` for each thread that is listed, then `end`. */
export class AuditJson {
  readonly #name: SourceName;
  readonly #write: (text: string) => void;
  #threads = 0;

  constructor(name: SourceName, write: (text: string) => void) {
    this.#name = name;
    this.#write = write;
  }

  thread(report: ThreadReport): void {
    this.#write(this.#threads === 0 ? `${this.#opening()}\n` : ',\n');
    this.#write(indented(threadObject(report), 4));
    this.#threads += 1;
  }

  end(source: AuditedSource, summary: SourceSummary): void {
    this.#write(this.#threads === 0 ? this.#opening() : '\n  ');
    const rest = Object.entries(totalsObject(source, summary));
    const members = rest.map(
      ([key, value]) => `,\n  ${JSON.stringify(key)}: ${indented(value, 2).trimStart()}`,
    );
    this.#write(`]${members.join('')}\n}\n`);
  }

  #opening(): string {
    return `{\n  "format": "${auditFormat}",\n  "source": ${indented(this.#name, 2).trimStart()},\n  "threads": [`;
  }
}

/** JSON of which every line is moved right; line feeds inside texts are escaped, so only its own lines move. */
function indented(value: unknown, spaces: number): string {
  const margin = ' '.repeat(spaces);
  return margin + JSON.stringify(value, null, 2).replaceAll('\n', `\n${margin}`);
}

/** One thread as one line of ndjson, without its line feed. */
export function threadLine(report: ThreadReport): string {
  return JSON.stringify(threadObject(report));
}

/** The last line of ndjson. */
export function totalsLine(source: AuditedSource, summary: SourceSummary): string {
  return JSON.stringify({ format: auditFormat, source: source.name, ...totalsObject(source, summary) });
}

function totalsObject(source: AuditedSource, summary: SourceSummary): Readonly<Record<string, unknown>> {
  const { verdict, totals, nodes, undecided, join } = summary;
  return {
    verdict,
    totals: {
      ...totals,
      findings: objectOf(totals.findings),
      ...(totals.ledger === undefined ? {} : { ledger: objectOf(totals.ledger) }),
      nodes: objectOf(nodes),
    },
    undecided,
    ...(source.damage === undefined ? {} : damageObject(source.damage)),
    ...(source.survey === undefined ? {} : { census: censusObject(source.survey) }),
    ...(source.ledgers === undefined ? {} : ledgersObject(source.ledgers)),
    ...(join === null ? {} : { effects: effectsObject(source, join) }),
  };
}

/** `faults` and `skipped`: present, if empty, wherever the operator asked to go on. */
function damageObject({ faults, skipped }: SourceDamage): Readonly<Record<string, unknown>> {
  return { faults, skipped: { byTable: objectOf(skipped.byTable), examples: skipped.examples } };
}

/** What an audit by SQL adds: executions and findings are those of the threads that were analysed. */
function censusObject({ analysed, marks }: SurveyedSource): unknown {
  return { analysedThreads: analysed, marks: objectOf(marks), nodes: 'of the analysed threads only' };
}

/** `ledger` where there is one, and `standing`: what else was known of threads, and the moment taken for now. */
function ledgersObject({ ledger, asOf, ...known }: LedgersSummary): Readonly<Record<string, unknown>> {
  const moment = asOf === null ? null : { time: timeText(asOf.ms), origin: asOf.origin };
  const { fields, unknownWords, ...counts } = ledger ?? { fields: new Map(), unknownWords: new Map() };
  return {
    ...(ledger === null
      ? {}
      : { ledger: { ...counts, fields: objectOf(fields), unknownWords: objectOf(unknownWords) } }),
    standing: { asOf: moment, ...known },
  };
}

/** How surely each way of joining tells which edge committed an execution. */
const sureness = {
  exact: 'certain',
  task: 'certain of the task, not of the run',
  run: 'certain of the run, not of the superstep',
  time: 'a guess by order of time',
} as const;

function effectsObject({ log }: AuditedSource, join: NonNullable<SourceSummary['join']>): unknown {
  if (log === null) return { join, sureness };
  const { file, mapping, records, notNodes } = log;
  return {
    file,
    mapping: { origin: mapping.origin, fields: objectOf(mapping.map) },
    records,
    join,
    sureness,
    notNodes,
  };
}

/** One thread as `threads` of the format lists it, ready for `JSON.stringify`. */
export function threadObject(report: ThreadReport): Readonly<Record<string, unknown>> {
  const { schema, log, unrecorded, namespaces, ledger, ...rest } = report;
  return {
    ...(schema === null ? {} : { schema }),
    ...rest,
    ...(ledger === undefined ? {} : { ledger: objectOf(ledger) }),
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
