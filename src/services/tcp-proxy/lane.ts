/**
 * One direction of one proxied connection: bytes come in, wait as long as they are held, and go out in the order in
 * which they came. Easy to get wrong: the end of the stream is delayed like bytes are, or it would overtake them; and
 * bytes that are held fill memory unless the side that sends is no longer read.
 */
import type { Socket } from 'node:net';
import { monotonicMs } from '#src/protocol/monotonic.ts';

/** What holds bytes back now. Read at every decision, so a change concerns the bytes that already wait as well. */
export interface LaneHold {
  /** Each chunk goes out so long after it came; 0: at once. */
  readonly delayMs: number;
  /** Nothing goes out. */
  readonly isPaused: boolean;
}

/** So many bytes may wait; beyond, the sender is not read until half of them have left. */
const mostHeldBytes = 1024 * 1024;

interface Held {
  /** Null: the end of the stream. */
  readonly bytes: Buffer | null;
  readonly arrivedMs: number;
}

/** See the file's head. */
export class Lane {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #hold: () => LaneHold;
  readonly #queue: Held[] = [];
  #heldBytes = 0;
  #isFull = false;
  #awaitsDrain = false;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** @param admits asked once for every chunk as it comes; false: it is dropped */
  constructor(from: Socket, to: Socket, hold: () => LaneHold, admits: (bytes: Buffer) => boolean) {
    this.#from = from;
    this.#to = to;
    this.#hold = hold;
    from.on('data', (bytes: Buffer) => {
      if (!this.#isClosed && admits(bytes)) this.#take(bytes);
    });
    from.once('end', () => {
      this.#take(null);
    });
    to.on('drain', () => {
      this.#awaitsDrain = false;
      this.pump();
    });
  }

  /** Bytes that came and have not gone out. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Sends what may leave now, and comes back by itself when the next may. Call it whenever the hold has changed. */
  pump(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      const { delayMs, isPaused } = this.#hold();
      if (this.#isClosed || isPaused || this.#awaitsDrain) return;
      const waitMs = head.arrivedMs + delayMs - monotonicMs();
      if (waitMs > 0) {
        // Rounded up: a timer that fires a fraction early would be set again and again.
        this.#timer = setTimeout(() => {
          this.pump();
        }, Math.ceil(waitMs));
        return;
      }
      this.#queue.shift();
      this.#send(head.bytes);
    }
  }

  /** Forgets what is held; nothing goes out from here on. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue.length = 0;
    this.#heldBytes = 0;
  }

  #take(bytes: Buffer | null): void {
    if (this.#isClosed) return;
    this.#queue.push({ bytes, arrivedMs: monotonicMs() });
    this.#heldBytes += bytes?.length ?? 0;
    if (this.#heldBytes > mostHeldBytes && !this.#isFull) {
      this.#isFull = true;
      this.#from.pause();
    }
    this.pump();
  }

  #send(bytes: Buffer | null): void {
    if (bytes === null) {
      this.#to.end();
      return;
    }
    this.#heldBytes -= bytes.length;
    this.#awaitsDrain = !this.#to.write(bytes);
    if (this.#isFull && this.#heldBytes <= mostHeldBytes / 2) {
      this.#isFull = false;
      this.#from.resume();
    }
  }
}
