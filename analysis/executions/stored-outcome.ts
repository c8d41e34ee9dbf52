/**
 * What the writes under a checkpoint say of one task: finished, failed, aborted, interrupted. Rows of this kind are
 * never deleted, so an error or an interrupt may long be settled; only the tree says whether it still matters.
 */
import type { WriteRow } from '#analysis/model/checkpoint.ts';
import type { TaskId } from '#analysis/model/identifiers.ts';
import { decodeStored } from '#analysis/serialization/decode-stored.ts';
import { isMapping } from '#analysis/serialization/decoded.ts';
import { isOutput } from '#analysis/rows/control-channels.ts';

/** The stored outcome of one task at one checkpoint. */
export interface StoredOutcome {
  /** Has output rows: the task finished. */
  readonly finished: boolean;
  /** Its only output row is `__no_writes__`. */
  readonly silent: boolean;
  /** Has an error row. */
  readonly failed: boolean;
  /** The error looks like an abort or a cancellation, not a fault of the node. */
  readonly aborted: boolean;
  readonly interrupted: boolean;
}

/** Outcomes by task, of all writes under one checkpoint. */
export function storedOutcomes(writes: readonly WriteRow[]): Map<TaskId, StoredOutcome> {
  const outcomes = new Map<TaskId, StoredOutcome>();
  for (const write of writes) {
    const known = outcomes.get(write.task) ?? nothingYet;
    const failed = write.channel === '__error__';
    outcomes.set(write.task, {
      finished: known.finished || isOutput(write),
      silent: isOutput(write)
        ? write.channel === '__no_writes__' && (known.silent || !known.finished)
        : known.silent,
      failed: known.failed || failed,
      aborted: known.aborted || (failed && isAbort(write)),
      interrupted: known.interrupted || write.channel === '__interrupt__',
    });
  }
  return outcomes;
}

const nothingYet: StoredOutcome = {
  finished: false,
  silent: false,
  failed: false,
  aborted: false,
  interrupted: false,
};

/**
 * JS stores `{name, message}` of the abort or of the caller's reason; Python the exception's repr.
 * Source: JS `pregel/runner.js`, Python `_runner.py` 579-583.
 */
function isAbort(write: WriteRow): boolean {
  const decoded = decodeStored(write.value);
  if (decoded.kind !== 'value') return false;
  const { value } = decoded;
  if (typeof value === 'string') return /^(?:\w+\.)*(?:CancelledError|Cancelled)\b/.test(value);
  if (!isMapping(value)) return false;
  return (
    value.get('name') === 'AbortError' ||
    value.get('message') === 'This operation was aborted' ||
    value.get('message') === 'Aborted' ||
    value.get('message') === 'Abort'
  );
}
