/**
 * From what the operator named to what is known beside the rows. Files are read before the rows; a table of the audited
 * database, and the server's own moment, in the transaction that reads them. Easy to get wrong: the moment that a dump
 * ends at is known only after all of it was read.
 */
import { OperatorError } from '../failure/operator-error.ts';
import { readLedgerFile, type Ledger, type LedgerReading } from './ledger.ts';
import { readActiveThreads, type ActiveThreads } from './ledger-active.ts';
import { readLedgerTable, serverNow, type LedgerDatabase, type LedgerTableName } from './ledger-table.ts';
import type { AsOf, Ledgers, StandingQuestions } from './ledgers.ts';

/** What is asked for. */
export interface LedgersRequest {
  /** Null: there is no ledger. */
  readonly ledger:
    | ({ readonly kind: 'file'; readonly file: string } & LedgerReading)
    | ({ readonly kind: 'table'; readonly table: LedgerTableName } & LedgerReading)
    | null;
  /** The file of threads that are held; null: none. */
  readonly active: string | null;
  /** The moment that ages are counted to; null: the server's, or that of the newest thing that is read. */
  readonly asOfMs: number | null;
  readonly questions: StandingQuestions;
}

/** What is known beside rows that are not read yet. */
export class OpenLedgers {
  readonly #request: LedgersRequest;
  #ledger: Ledger | null = null;
  #active: ActiveThreads | null = null;
  #serverMs: number | null = null;

  private constructor(request: LedgersRequest) {
    this.#request = request;
  }

  /** Reads the files. `isLive`: the rows are in a database. *Fails* with OperatorError naming file and line. */
  static async open(request: LedgersRequest, isLive: boolean): Promise<OpenLedgers> {
    const opened = new OpenLedgers(request);
    const { ledger, active } = request;
    if (ledger?.kind === 'table' && !isLive) throw tableOfNoDatabase(ledger.table);
    if (ledger?.kind === 'file') opened.#ledger = await readLedgerFile(ledger.file, ledger);
    if (active !== null) opened.#active = await readActiveThreads(active);
    return opened;
  }

  /** Whether all threads must be read, or one that was left out would pass for one without rows. */
  get needsAllThreads(): boolean {
    return this.#request.ledger !== null;
  }

  /** Whether the newest row has to be looked for. */
  get needsNewestRow(): boolean {
    const { asOfMs, ledger, questions } = this.#request;
    if (asOfMs !== null || this.#serverMs !== null) return false;
    const leases = [...(this.#active?.leases.values() ?? [])];
    return (
      ledger !== null || questions.minAgeMs !== null || leases.some(({ expiresMs }) => expiresMs !== null)
    );
  }

  /** Asks the database that holds the rows, in a transaction that is open there. */
  async ask(database: LedgerDatabase): Promise<void> {
    const { ledger } = this.#request;
    this.#serverMs = await serverNow(database);
    if (ledger?.kind === 'table') this.#ledger = await readLedgerTable(database, ledger.table, ledger);
  }

  /** Everything together. `newestRowMs`: null where no row told, or none was looked for. */
  known(newestRowMs: number | null): Ledgers {
    const newestMs = Math.max(newestRowMs ?? -Infinity, this.#ledger?.newestMs ?? -Infinity);
    const moments: readonly AsOf[] = [
      ...moment(this.#request.asOfMs, 'given'),
      ...moment(this.#serverMs, 'server'),
      ...moment(newestMs === -Infinity ? null : newestMs, 'newest'),
    ];
    const [asOf = null] = moments;
    return { ledger: this.#ledger, active: this.#active, asOf, questions: this.#request.questions };
  }
}

function moment(ms: number | null, origin: AsOf['origin']): readonly AsOf[] {
  return ms === null ? [] : [{ ms, origin }];
}

function tableOfNoDatabase({ schema, name }: LedgerTableName): OperatorError {
  return new OperatorError({
    happened: 'a table can be the ledger of a live database only',
    place: `table ${schema === null ? '' : `${schema}.`}${name}`,
    expected: 'a source such as postgres://…',
    remedy: 'Export the table as CSV and give that file to --ledger.',
  });
}
