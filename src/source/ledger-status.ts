/**
 * What a ledger's status means, whichever queue wrote it. Easy to get wrong: a word that is not known must stay unknown,
 * because a run that was refused and one that is queued differ by that word alone.
 */
import type { LedgerPhase } from '#analysis/model/ledger.ts';

/** Words of LangGraph's platform, pg-boss, BullMQ, Celery, Temporal, Oban and tables made by hand, in lower case. */
const words: Readonly<Partial<Record<LedgerPhase, readonly string[]>>> = {
  waiting: [
    ...['accepted', 'available', 'created', 'delayed', 'enqueued', 'new', 'pending', 'prioritized', 'queued'],
    ...['ready', 'received', 'retry', 'retrying', 'retryable', 'scheduled', 'submitted', 'todo', 'waiting'],
  ],
  running: [
    ...['active', 'busy', 'claimed', 'executing', 'in_flight', 'in_progress', 'leased', 'locked'],
    ...['processing', 'running', 'started', 'working'],
  ],
  paused: ['awaiting_input', 'interrupted', 'paused', 'requires_action', 'suspended', 'waiting_for_input'],
  succeeded: ['complete', 'completed', 'done', 'finished', 'ok', 'succeeded', 'success', 'successful'],
  failed: [
    ...['aborted', 'dead', 'discarded', 'error', 'errored', 'expired', 'failed', 'failure', 'rejected'],
    ...['terminated', 'timed_out', 'timedout', 'timeout'],
  ],
  cancelled: ['canceled', 'cancelled', 'revoked', 'rolled_back', 'skipped'],
};

const phases: ReadonlyMap<string, LedgerPhase> = new Map(
  Object.entries(words).flatMap(([phase, list]) => list.map((word) => [word, phase as LedgerPhase] as const)),
);

/** The phases that an operator can name for a word of his own. */
export const namedPhases = ['waiting', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const;

/** The operator's own words, which come first; compared like the others. */
export type StatusWords = ReadonlyMap<string, LedgerPhase>;

/** The phase of a status; letter case, spaces and hyphens do not matter. Null: the ledger has none. */
export function ledgerPhase(status: string | null, own: StatusWords): LedgerPhase {
  if (status === null) return 'unsaid';
  const word = plain(status);
  return own.get(word) ?? phases.get(word) ?? 'unknown';
}

/** Reads `WORD=phase,WORD=phase`. *Fails* with RangeError whose message says what to write. */
export function parseStatusWords(texts: readonly string[]): StatusWords {
  const own = new Map<string, LedgerPhase>();
  for (const pair of texts.flatMap((text) => text.split(','))) {
    if (pair.trim() === '') continue;
    const equals = pair.lastIndexOf('=');
    const word = plain(pair.slice(0, Math.max(equals, 0)));
    const phase = namedPhases.find((known) => known === pair.slice(equals + 1).trim());
    if (word === '' || phase === undefined) {
      throw new RangeError(
        `--ledger-status: ${JSON.stringify(pair.trim())} is no word=meaning; the meanings are ${namedPhases.join(', ')}.`,
      );
    }
    own.set(word, phase);
  }
  return own;
}

function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
