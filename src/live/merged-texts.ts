/**
 * Several streams of sections as one, so that connections work at the same time for one reader. Easy to get wrong: rows
 * of two tables must not mix, so another stream's turn comes only where a section has ended.
 */
import { sectionEnd } from './copy-sql.ts';

type Chunk = IteratorResult<Buffer, undefined>;

interface Turn {
  readonly chunks: AsyncIterator<Buffer, undefined>;
  next: Promise<Chunk>;
}

/** All sections of all streams, whichever is ready first. Stopping early stops them all. */
export async function* mergedTexts(
  texts: readonly AsyncIterable<Buffer, undefined>[],
): AsyncGenerator<Buffer> {
  const waiting = new Set<Turn>();
  for (const text of texts) {
    const chunks = text[Symbol.asyncIterator]();
    waiting.add({ chunks, next: begun(chunks) });
  }
  try {
    while (waiting.size > 0) {
      const turn = await Promise.race([...waiting].map(async (one) => (await one.next, one)));
      // The one whose turn it was goes to the end of the queue: among ready streams the first wins the race.
      waiting.delete(turn);
      if (yield* untilSectionEnd(turn)) waiting.add(turn);
    }
  } finally {
    await Promise.all([...waiting].map(async ({ chunks }) => chunks.return?.()));
  }
}

/** Whether the stream goes on. */
async function* untilSectionEnd(turn: Turn): AsyncGenerator<Buffer, boolean> {
  for (;;) {
    const { done, value } = await turn.next;
    if (done === true) return false;
    turn.next = begun(turn.chunks);
    yield value;
    if (value === sectionEnd) return true;
  }
}

/** A failure is reported when its turn comes, not as an unhandled rejection before. */
function begun(chunks: AsyncIterator<Buffer, undefined>): Promise<Chunk> {
  const next = chunks.next();
  next.catch(() => undefined);
  return next;
}
