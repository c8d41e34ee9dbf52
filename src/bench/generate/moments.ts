/**
 * Times as rows write them: version-6 UUIDs whose clock sequence is the step, and ISO time stamps. Easy to get wrong:
 * JS writes `ffff` for step -1 and whole milliseconds, Python `bfff` and microseconds.
 */
import { hex4, type Chance } from '#src/chance.ts';

/** Who wrote a thread. */
export type Language = 'js' | 'python';

/** Unix milliseconds at which a dump's first thread starts: 2026-11-01. */
const epochMs = Date.UTC(2026, 10, 1);

/** 100-nanosecond ticks from 1582-10-15 to the epoch above. */
const epochTicks = BigInt(epochMs) * 10_000n + 0x01b21dd213814000n;
const epochHigh = Number(epochTicks >> 32n);
const epochLow = Number(epochTicks & 0xffff_ffffn);

/** Characters of an id that tell its time and version: `1f1ed063-05b6-6a00`. */
export const idTimeLength = 18;

/** The time of an id as its first characters. `timeMs` counts from the dump's first moment, with fractions. */
export function idTime(language: Language, timeMs: number): string {
  const ticks = language === 'js' ? Math.floor(timeMs) * 10_000 : Math.floor(timeMs * 1000) * 10;
  const low = epochLow + ticks;
  const high = epochHigh + Math.floor(low / 4_294_967_296);
  const least = low % 4_294_967_296;
  const time = `${hex4(high >>> 12)}${hex4(((high & 0xfff) << 4) | (least >>> 28))}`;
  return `${time}-${hex4((least >>> 12) & 0xffff)}-6${hex4(least & 0xfff).slice(1)}`;
}

/** What follows an id's time: the step as clock sequence, and a node that is drawn anew for every id. */
export function idRest(language: Language, step: number, chance: Chance): string {
  const sequence = step < 0 ? (language === 'js' ? 'ffff' : 'bfff') : (0x8000 + step).toString(16);
  return `-${sequence}-${chance.hex12()}`;
}

/** Characters of a time stamp down to the millisecond: `2026-11-30T21:37:06.208`. */
export const timestampLength = 23;

let known = { second: -1, text: '' };

/** A time stamp down to the millisecond. */
export function timestamp(timeMs: number): string {
  const second = Math.floor(timeMs / 1000);
  // Rows come nearly in the order of their times, so most share the second of the row before.
  if (known.second !== second) {
    known = { second, text: new Date(epochMs + second * 1000).toISOString().slice(0, 20) };
  }
  return known.text + hundreds(Math.floor(timeMs) - second * 1000);
}

/** What follows it: `Z`, or in Python the microseconds and `+00:00`. */
export function timestampRest(language: Language, timeMs: number): string {
  return language === 'js' ? 'Z' : `${hundreds(Math.floor(timeMs * 1000) % 1000)}+00:00`;
}

function hundreds(value: number): string {
  return value < 10 ? `00${value}` : value < 100 ? `0${value}` : String(value);
}
