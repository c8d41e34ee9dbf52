/**
 * When a checkpoint id was made. Ids are version-6 UUIDs read by hand: JS writes negative steps as a clock sequence
 * of `ffff` or `fffe`, an invalid variant that strict UUID libraries refuse.
 * Source: LangGraph JS 1.7.3 `ckpt/id.js`, Python `base/id.py`; RFC 9562 section 5.6.
 */
import type { CheckpointId } from '#analysis/model/identifiers.ts';

/** Milliseconds between 1582-10-15 and 1970-01-01 (RFC 9562: 0x01B21DD213814000 ticks of 100 ns). */
const gregorianOffsetMs = 12_219_292_800_000;

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-6[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Unix milliseconds with a fraction, exact to about 2 microseconds; null when the id is no version-6 UUID. */
export function idTimeMs(id: CheckpointId): number | null {
  if (!shape.test(id)) return null;
  // 2^12 ticks of the upper 48 bits, in milliseconds; doubles keep 2^53, so the halves are scaled apart.
  const upper = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const lower = Number.parseInt(id.slice(15, 18), 16);
  return upper * 0.4096 - gregorianOffsetMs + lower / 10_000;
}

/** The clock sequence of the id: the step it was made for, `ffff` for -1; null when the id is no version-6 UUID. */
export function idClockSequence(id: CheckpointId): number | null {
  return shape.test(id) ? Number.parseInt(id.slice(19, 23), 16) : null;
}
