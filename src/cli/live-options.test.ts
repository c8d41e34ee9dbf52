import yargs from 'yargs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { liveDefaults } from '../live/live-settings.ts';
import { durationMs, liveRequest, withLiveOptions } from './live-options.ts';

const now = Date.UTC(2026, 10, 30, 12);
const hourMs = 3_600_000;

function requestOf(...words: readonly string[]): ReturnType<typeof liveRequest> {
  const parser = withLiveOptions(yargs([...words]))
    .exitProcess(false)
    .fail(false)
    .strict();
  return liveRequest(parser.parseSync());
}

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('options of time', () => {
  test.each([
    ['7d', now - 7 * 24 * hourMs],
    ['24h', now - 24 * hourMs],
    ['90s', now - 90_000],
    ['1.5h', now - 1.5 * hourMs],
    ['2026-11-29', Date.UTC(2026, 10, 29)],
    ['2026-11-29T18:00', Date.UTC(2026, 10, 29, 18)],
    ['2026-11-29T18:00:00+02:00', Date.UTC(2026, 10, 29, 16)],
  ])('%s is one moment, for --since and for --until', (text, time) => {
    expect(requestOf('--since', text).choice).toEqual({ sinceMs: time, untilMs: null, limit: null });
    expect(requestOf('--until', text, '--limit', '3').choice).toEqual({
      sinceMs: null,
      untilMs: time,
      limit: 3,
    });
  });

  test('are the documented defaults when they are left out', () => {
    expect(requestOf()).toEqual({
      choice: { sinceMs: null, untilMs: null, limit: null },
      live: liveDefaults,
    });
  });

  test('set limits, where 0 is none', () => {
    const { live } = requestOf('--statement-timeout=3h', '--lock-timeout=0', '--idle-timeout=30m');
    expect(live).toMatchObject({
      statementTimeoutMs: 3 * hourMs,
      lockTimeoutMs: 0,
      idleTimeoutMs: 1_800_000,
    });
  });

  test.each([
    ['--since', 'yesterday', 'must be a duration'],
    ['--since', '2026-13-01', 'must be a duration'],
    ['--until', '', 'must be a duration'],
    ['--limit', '0', 'one whole number'],
    ['--lock-timeout', '5', 'must be such as'],
    ['--statement-timeout', '25d', 'must be such as'],
    ['--connections', '1.5', 'one whole number'],
  ])('%s=%s is refused', (option, value, message) => {
    expect(() => requestOf(`${option}=${value}`)).toThrow(message);
  });

  test('given twice are refused', () => {
    expect(() => requestOf('--since=1d', '--since=2d')).toThrow('may be given once');
    expect(() => requestOf('--lock-timeout=1s', '--lock-timeout=2s')).toThrow('must be such as');
  });

  test('have units, and nothing else is a duration', () => {
    expect(['2w', '1m', '0.5s', '7', 'd', '-1d', '1 d', '1D'].map(durationMs)).toEqual([
      1_209_600_000,
      60_000,
      500,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
