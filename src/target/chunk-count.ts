/**
 * Counts what a client sees of a stream: events of server-sent events, lines of NDJSON. Of any other answer there is one
 * chunk, its end, so that nobody can leave such a stream in its middle by a number of chunks.
 */
import { createParser } from 'eventsource-parser';

/** Takes text as it comes and calls back once a chunk. */
export interface ChunkCount {
  readonly feed: (text: string) => void;
  readonly end: () => void;
}

/** A count for an answer of that content type. */
export function chunkCount(contentType: string, onChunk: () => void): ChunkCount {
  if (contentType.startsWith('text/event-stream')) {
    const parser = createParser({ onEvent: onChunk });
    return {
      feed: (text) => {
        parser.feed(text);
      },
      end: () => undefined,
    };
  }
  if (/ndjson|jsonl|jsonlines/.test(contentType)) return lineCount(onChunk);
  return { feed: () => undefined, end: onChunk };
}

function lineCount(onChunk: () => void): ChunkCount {
  let isBlank = true;
  const close = (): void => {
    if (!isBlank) onChunk();
    isBlank = true;
  };
  return {
    feed: (text) => {
      for (const [turn, piece] of text.split('\n').entries()) {
        if (turn > 0) close();
        if (piece.trim() !== '') isBlank = false;
      }
    },
    end: close,
  };
}
