/**
 * Times as rows write them: version-6 UUIDs whose clock sequence is the step, and ISO time stamps. Easy to get wrong:
 * JS writes `ffff` for step -1 and whole milliseconds, Python `bfff` and microseconds.
 */
import type { Chance } from './chance.ts';

/** Who wrote a thread. */
export type Language = 'js' | 'python';

/** Unix milliseconds at which a dump's first thread starts: 2026-11-01. */
const epochMs = Date.UTC(2026, 10, 1);

/** 100-nanosecond ticks from 1582-10-15 to the epoch above. */
const epochTicks = BigInt(epochMs) * 10_000n + 0x01b21dd213814000n;
const epochHigh = Number(epochTicks >> 32n);
const epochLow = Number(epochTicks & 0xffff_ffffn);

/** A checkpoint id. `timeMs` counts from the dump's first moment, with fractions. */
export function checkpointId(language: Language, timeMs: number, step: number, chance: Chance): string {
  const ticks = language === 'js' ? Math.floor(timeMs) * 10_000 : Math.floor(timeMs * 1000) * 10;
  const low = epochLow + ticks;
  const high = (epochHigh + Math.floor(low / 4_294_967_296)).toString(16).padStart(7, '0');
  const time = high + (low % 4_294_967_296).toString(16).padStart(8, '0');
  const sequence = step < 0 ? (language === 'js' ? 'ffff' : 'bfff') : (0x8000 + step).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}-${sequence}-${chance.hex12()}`;
}

let known = { second: -1, text: '' };

/** The `ts` of a row made at that time: `…Z` with milliseconds, or `…+00:00` with microseconds. */
export function timestamp(language: Language, timeMs: number): string {
  const second = Math.floor(timeMs / 1000);
  // Rows come nearly in the order of their times, so most share the second of the row before.
  if (known.second !== second) {
    known = { second, text: new Date(epochMs + second * 1000).toISOString().slice(0, 20) };
  }
  const rest = timeMs - second * 1000;
  return language === 'js'
    ? `${known.text}${Math.floor(rest).toString().padStart(3, '0')}Z`
    : `${known.text}${Math.floor(rest * 1000)
        .toString()
        .padStart(6, '0')}+00:00`;
}
