/**
 * How far an audit is, on stderr and only where a person watches. Easy to get wrong: of a packed file the bytes inside
 * are not known beforehand, so the time left goes by the share of the file, never by the bytes of text.
 */
import { SingleBar } from 'cli-progress';
import { durationText, sizeText } from '../report/quantity-text.ts';

/** Milliseconds between two pictures: faster is not seen, and costs. */
const pictureMs = 100;

/** Parts of a whole bar. */
const barParts = 1_000;

/** Shows the reading, then the analysis. Call `end` before anything else is printed, and always at last. */
export class AuditProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #nowMs: () => number;
  #bar: SingleBar | null = null;
  #startMs: number | null = null;
  #drawnMs = 0;
  #isReading = true;
  #isOver = false;

  constructor(stream: NodeJS.WriteStream, nowMs: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#nowMs = nowMs;
  }

  /** `bytes` of text were read, which is `share` of the source (0 to 1); null where its end is not known. */
  readonly read = (bytes: number, share: number | null): void => {
    if (!this.#isDue()) return;
    const elapsedMs = this.#nowMs() - (this.#startMs ?? 0);
    const rate = `${sizeText((bytes / elapsedMs) * 1_000)}/s`;
    const left =
      share === null || share <= 0 ? '' : ` · ${durationText((elapsedMs / share) * (1 - share))} left`;
    this.#draw(share, `${sizeText(bytes)} read · ${rate}${left}`);
  };

  /** So many threads were analysed. */
  readonly analysed = (threads: number): void => {
    if (this.#isReading) {
      this.#clear();
      this.#isReading = false;
    }
    if (this.#isDue()) this.#draw(null, `${threads} threads analysed`);
  };

  /** Clears the line, so that something else can be printed. */
  readonly pause = (): void => {
    this.#clear();
  };

  end(): void {
    this.#clear();
    this.#isOver = true;
  }

  #isDue(): boolean {
    if (!this.#stream.isTTY || this.#isOver) return false;
    const nowMs = this.#nowMs();
    if (this.#startMs === null) {
      // The first chunk tells no rate yet, and a short audit needs no bar.
      this.#startMs = nowMs;
      this.#drawnMs = nowMs;
      return false;
    }
    if (nowMs - this.#drawnMs < pictureMs) return false;
    this.#drawnMs = nowMs;
    return true;
  }

  #draw(share: number | null, told: string): void {
    if (this.#bar === null) {
      this.#bar = new SingleBar({
        stream: this.#stream,
        format: share === null ? '{told}' : '{bar} {percentage} % · {told}',
        clearOnComplete: true,
        // The terminal's own state is never changed, so that an interruption has nothing to restore.
        hideCursor: false,
        linewrap: true,
        gracefulExit: false,
        fps: 1e3 / pictureMs,
      });
      this.#bar.start(barParts, 0, { told });
    }
    this.#bar.update(Math.floor((share ?? 0) * barParts), { told });
  }

  #clear(): void {
    this.#bar?.stop();
    this.#bar = null;
  }
}
