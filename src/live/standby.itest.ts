import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { LiveSession } from './live-session.ts';
import { liveDefaults } from './live-settings.ts';
import { dsnOf, loadSet } from './testing/load-dump.ts';
import { everything, reportsOf } from './testing/reports.ts';
import { startStandbyPair, type StandbyPair } from './testing/standby.ts';

let watchdog: Watchdog;
let pair: StandbyPair;

beforeAll(async () => {
  watchdog = startWatchdog();
  pair = await startStandbyPair(watchdog);
});
afterAll(async () => {
  await pair.stop();
  await watchdog.close();
});

test('a standby is audited like its primary, by several connections that share its snapshot', async () => {
  const primary = await loadSet(pair.primary, 'shop', 'race-js');
  await pair.caughtUp();
  const place = dsnOf(pair.standby, 'shop');
  const session = await LiveSession.open(place, liveDefaults, new AbortController().signal);
  expect(session.facts.isStandby).toBe(true);
  await session.close();
  const notes: string[] = [];
  const live = { ...liveDefaults, connections: 3, rangeBytes: 8192 };
  const reports = await reportsOf({ ...everything, place, live, note: (note) => notes.push(note) });
  expect(reports).toEqual(await reportsOf({ ...everything, place: primary }));
  expect(notes).toEqual([]);
});
