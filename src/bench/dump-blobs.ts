/**
 * How fast do blob and write rows pass that the analysis does not need? Easy to get wrong: start and analysis take
 * their time too, so the same threads with values of a few bytes are measured and taken away.
 */
import { judged, scaled, type Benchmark } from './benchmark.ts';
import { audited } from './dump-audit.ts';
import { withDump } from './dump-file.ts';
import { dumpOf, type DumpSettings } from './generate/settings.ts';

/** At full size 12,000 checkpoints and 4 GB of values that nothing asks for. */
export const dumpBlobs: Pick<Benchmark, 'run'> = {
  run: async (scale) => {
    const settings = (valueBytes: number): DumpSettings =>
      dumpOf(scaled(12_000, scale, 500), { jsShare: 1, retention: 'all', variants: 16, valueBytes });
    const bytesOf = (valueBytes: number): number => scaled(12_000, scale, 500) * (valueBytes * 5 + 2000);
    const measured = (valueBytes: number): Promise<{ readonly bytes: number; readonly wallMs: number }> =>
      withDump(
        settings(valueBytes),
        async (dump, folder) => {
          // Once to fill the cache.
          await audited(dump, folder);
          const { wallMs } = await audited(dump, folder);
          return { bytes: dump.summary.bytes, wallMs };
        },
        bytesOf(valueBytes),
      );
    const bare = await measured(1);
    const full = await measured(100_000);
    const rate = (bytes: number, wallMs: number): number => bytes / 1e6 / wallMs;
    return [
      { measure: 'size of the dump, read from a warm cache', value: full.bytes / 1e6, unit: 'MB' },
      { measure: 'the same rows without their values', value: bare.wallMs, unit: 'ms' },
      { measure: 'the whole audit', value: rate(full.bytes, full.wallMs), unit: 'GB/s' },
      judged(
        {
          measure: 'values that are not needed',
          value: rate(full.bytes - bare.bytes, Math.max(1, full.wallMs - bare.wallMs)),
          unit: 'GB/s',
        },
        { atLeast: 2 },
        scale,
      ),
    ];
  },
};
