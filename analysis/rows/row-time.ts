/**
 * When was a checkpoint made? By its id, which LangGraph orders by; by `ts` where the id holds no time. Easy to get
 * wrong: text without an offset would mean the reader's own time zone, so it tells no time here.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import { idTimeMs } from './id-time.ts';

const withOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Unix milliseconds on the clock of the worker that made the row; null when the row does not say. */
export function rowTimeMs({ id, timestamp }: Pick<CheckpointRow, 'id' | 'timestamp'>): number | null {
  const made = idTimeMs(id);
  if (made !== null || timestamp === null || !withOffset.test(timestamp)) return made;
  const written = Date.parse(timestamp);
  return Number.isNaN(written) ? null : written;
}
