/**
 * Reports whose names can be shared: threads, schemas, nodes, channels, checkpoints, tasks, runs, workers and business
 * keys get neutral names. Easy to get wrong: the analysis itself must see the real ones (task ids are hashes of node
 * names, ids carry times, the head is the greatest), so each report is renamed, by a list made from its evidence.
 */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { invariant } from '#analysis/model/bug.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { AuditedSource } from './audited-source.ts';
import { anonymousLedgers, type LedgersSummary } from './ledgers-summary.ts';
import { renamedReport } from './rename-report.ts';
import { SourceNames } from './source-names.ts';

/** Renames the reports of one source, in the order of its threads. Nodes and channels keep one name throughout. */
export class Anonymizer {
  readonly #names = new SourceNames();
  /** The names of threads that were handed out and not reported yet: at most a few batches. */
  readonly #waiting: ReadonlyMap<string, string>[] = [];

  constructor({ rules, shape }: AnalysisOptions) {
    this.#names.nodes([...(shape?.nodes ?? []), ...rules.flatMap(({ left, right }) => [...left, ...right])]);
  }

  /** The same evidence; its names are noted as it passes. */
  async *watch(source: AsyncIterable<ThreadEvidence>): AsyncGenerator<ThreadEvidence> {
    for await (const evidence of source) {
      this.#waiting.push(this.#names.thread(evidence));
      yield evidence;
    }
  }

  /** The report of the next thread, renamed. */
  report(report: ThreadReport): ThreadReport {
    const names = this.#waiting.shift();
    invariant(names !== undefined, 'a report comes after its evidence, in the same order');
    return renamedReport(report, this.#names.withReport(names, report));
  }

  /** The source without its place; fields of the log keep their names, which are the program's, not the data's. */
  source(source: AuditedSource): AuditedSource {
    const { name, log } = source;
    const place = 'anonymized';
    const ledgers = source.ledgers === undefined ? {} : { ledgers: this.#ledgers(source.ledgers, place) };
    if (log === null) return { ...source, ...ledgers, name: { ...name, name: place } };
    this.#names.nodes(log.notNodes.map((entry) => entry.name));
    const notNodes = log.notNodes.map((entry) => ({ ...entry, name: this.#names.node(entry.name) }));
    const sentence = log.sentence.replace(log.file, () => place);
    const renamed = { ...log, file: place, notNodes, sentence };
    return { ...source, ...ledgers, name: { ...name, name: place }, log: renamed };
  }

  #ledgers(ledgers: LedgersSummary, place: string): LedgersSummary {
    return anonymousLedgers(ledgers, place, (node) => this.#names.node(node as NodeName));
  }
}
