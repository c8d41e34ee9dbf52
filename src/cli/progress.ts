/** Progress on stderr, and only when a person watches: a terminal, no CI. Pipes and logs get the result alone. */
import { SingleBar } from 'cli-progress';
import type { SeriesWatcher } from '../runner/series-options.ts';
import { printable } from '../report/printable.ts';

/** Shows the phases and the trials of a series. Call `end` before anything else is printed. */
export class SeriesProgress implements SeriesWatcher {
  readonly #stream: NodeJS.WriteStream;
  #bar: SingleBar | null = null;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  readonly phase = (what: string): void => {
    if (!this.#stream.isTTY) return;
    this.end();
    this.#stream.write(`${what} …\n`);
  };

  readonly progress = (finished: number, of: number, aborted: number): void => {
    if (!this.#stream.isTTY) return;
    if (this.#bar === null) {
      this.#bar = new SingleBar({
        stream: this.#stream,
        format: '{bar} {value}/{total} trials · {aborted} aborted · {eta_formatted} left',
        // A second Ctrl-C ends the process at once, and nobody would show it again.
        hideCursor: false,
        clearOnComplete: true,
        gracefulExit: false,
      });
      this.#bar.start(of, finished, { aborted });
    }
    this.#bar.update(finished, { aborted });
  };

  readonly warn = (message: string): void => {
    this.end();
    this.#stream.write(`warning: ${printable(message, 2_000)}\n`);
  };

  end(): void {
    this.#bar?.stop();
    this.#bar = null;
  }
}
