/**
 * Does an audit's time grow with the dump and no faster, in memory and spilled? Easy to get wrong: a file larger than
 * the cache is read from disk, which is another speed; so each size says whether its file could stay in memory.
 */
import { freemem } from 'node:os';
import { judged, scaled, type Benchmark, type Measure } from './benchmark.ts';
import { audited, auditKnows } from './dump-audit.ts';
import { withDump } from './dump-file.ts';
import { dumpOf } from './generate/settings.ts';

/** Checkpoints, ascending. */
const sizes = [1_000_000, 3_000_000, 10_000_000];

/** How the audit is told to keep all rows in memory, and to spill nearly all. */
const modes = [
  ['in memory', '12GB'],
  ['spilled', '100MB'],
] as const;

/** Milliseconds a million checkpoints by size, and the spread of each mode. */
export const dumpLinear: Pick<Benchmark, 'run'> = {
  run: async (scale) => {
    const settable = await auditKnows('--memory');
    const used: readonly (readonly [string, string | null])[] = settable
      ? modes
      : [['its own memory setting', null]];
    const perMillion = new Map<string, number[]>();
    const measures: Measure[] = [];
    for (const size of sizes) {
      await withDump(dumpOf(scaled(size, scale, 1000)), async (dump, folder) => {
        for (const [mode, memory] of used) {
          const isCached = freemem() > dump.summary.bytes * 1.2;
          // The first audit fills the cache as far as it goes.
          if (isCached) await audited(dump, folder, memory);
          const { wallMs } = await audited(dump, folder, memory);
          const value = (wallMs / dump.summary.checkpoints) * 1e6;
          perMillion.set(mode, [...(perMillion.get(mode) ?? []), value]);
          const count = dump.summary.checkpoints.toLocaleString('en');
          const cache = isCached ? 'warm cache' : 'larger than the cache';
          measures.push({ measure: `${mode}, ${count} checkpoints, ${cache}`, value, unit: 'ms/million' });
        }
      });
    }
    for (const [mode, values] of perMillion) {
      const value = (Math.max(...values) / Math.min(...values) - 1) * 100;
      measures.push(
        judged({ measure: `${mode}, spread over the sizes`, value, unit: '%' }, { atMost: 15 }, scale),
      );
    }
    return measures;
  },
};
