/**
 * How fast is the whole audit of a plain dump, executions included, against what merely counting its lines takes and
 * against DuckDB doing a part of the work? Easy to get wrong: all read the same file from a warm cache, in one run.
 */
import { execa } from 'execa';
import { judged, scaled, type Benchmark, type Measure } from './benchmark.ts';
import { audited } from './dump-audit.ts';
import { cutCheckpoints, duckdbMs, duckdbVariable, findDuckdb } from './dump-duckdb.ts';
import { withDump } from './dump-file.ts';
import { dumpOf, fullDump } from './generate/settings.ts';
import { join } from 'node:path';

const rounds = 3;

/** The full dump, medians of three. */
export const dumpSpeed: Pick<Benchmark, 'run'> = {
  run: (scale) => {
    const duckdb = findDuckdb();
    return withDump(dumpOf(scaled(fullDump.checkpoints, scale, 1000)), async (dump, folder) => {
      const megabytes = dump.summary.bytes / 1e6;
      const lines = await medianOf(async () => {
        const started = performance.now();
        await execa('wc', ['-l', dump.path]);
        return performance.now() - started;
      });
      const wall: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const cost = await audited(dump, folder);
        wall.push(cost.wallMs);
        cpu.push(cost.cpuMs);
      }
      const wallMs = median(wall);
      const rate = (megabytes / wallMs) * 1000;
      const measures: Measure[] = [
        { measure: 'size of the dump, read from a warm cache', value: megabytes, unit: 'MB' },
        { measure: 'audit, wall time', value: wallMs, unit: 'ms' },
        { measure: 'audit, processor time', value: median(cpu), unit: 'ms' },
        judged({ measure: 'audit, rate', value: rate, unit: 'MB/s' }, { atLeast: 600 }, scale),
        { measure: 'wc -l, wall time', value: lines, unit: 'ms' },
        { measure: 'audit by wc -l', value: wallMs / lines, unit: '' },
      ];
      if (duckdb === null) {
        measures.push({ measure: `DuckDB: absent, ${duckdbVariable} names no folder`, value: 0, unit: '' });
        return measures;
      }
      const section = join(folder, 'checkpoints.tsv');
      await cutCheckpoints(dump.path, section);
      const duck = await medianOf(() => duckdbMs(duckdb, section, dump.summary.forkedThreads));
      return [
        ...measures,
        { measure: 'DuckDB, 2 threads, versions_seen and forks on the cut section', value: duck, unit: 'ms' },
        judged({ measure: 'DuckDB by audit', value: duck / wallMs, unit: '' }, { atLeast: 1.5 }, scale),
      ];
    });
  },
};

async function medianOf(work: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await work());
  return median(times);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
