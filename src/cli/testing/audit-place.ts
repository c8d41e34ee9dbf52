/** For tests: `forkscope audit` in a place of its own, with a folder for the files it is to read. */
import { jsonLines, LogFolder, recordsOf } from '#src/source/testing/log-files.ts';
import type { AuditReport } from './audit-report.ts';
import { Workplace, type Ended } from './program.ts';

/** A place to audit in; to be closed. */
export class AuditPlace {
  readonly files = new LogFolder();
  readonly #place: Workplace;

  private constructor(place: Workplace) {
    this.#place = place;
  }

  static async open(): Promise<AuditPlace> {
    return new AuditPlace(await Workplace.open());
  }

  /** Runs the command. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.#place.run('audit', ...args);
  }

  /** Runs the command with a file as its standard input. */
  runOn(path: string, ...args: readonly string[]): Promise<Ended> {
    return this.#place.start(['audit', ...args], ['sh', '-c', 'exec "$@" < "$0"', path]).ended;
  }

  /** The report of all threads. *Fails* when the command does. */
  async json(...args: readonly string[]): Promise<AuditReport> {
    const { stdout, stderr } = await this.run(...args, '--format', 'json', '--all-threads');
    if (/^forkscope/m.test(stderr)) throw new Error(stderr);
    return JSON.parse(stdout) as AuditReport;
  }

  /** A file with the log that belongs to a set of the corpus. */
  logOf(set: string): string {
    return this.files.write(`${set}.jsonl`, jsonLines(recordsOf(set)));
  }

  async close(): Promise<void> {
    await this.#place.close();
    this.files[Symbol.dispose]();
  }
}
