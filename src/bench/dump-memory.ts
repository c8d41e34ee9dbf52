/**
 * How much memory does an audit hold at most, whatever the order of rows and the size of one of them? Easy to get
 * wrong: it is the peak that the system saw, every thread of the process included, not what the program believes.
 */
import { judged, scaled, type Benchmark, type Measure } from './benchmark.ts';
import { audited, auditKnows } from './dump-audit.ts';
import { withDump } from './dump-file.ts';
import { dumpOf, type DumpSettings } from './generate/settings.ts';

/** What the audit is told to keep rows in, and what it may take altogether. */
const memorySetting = '200MB';
const peakLimitMB = 600;

/** 10 M checkpoints in three orders, then one blob and one write of 900 MB. */
export const dumpMemory: Pick<Benchmark, 'run'> = {
  run: async (scale) => {
    const memory = (await auditKnows('--memory')) ? memorySetting : null;
    const told = memory === null ? 'its own memory setting' : `--memory ${memory}`;
    const checkpoints = scaled(10_000_000, scale, 1000);
    const giantBytes = scaled(900_000_000, scale, 1000);
    const cases: readonly (readonly [string, DumpSettings])[] = [
      ...(['interleaved', 'grouped', 'shuffled'] as const).map(
        (order) =>
          [
            `${checkpoints.toLocaleString('en')} checkpoints, ${order}`,
            dumpOf(checkpoints, { order }),
          ] as const,
      ),
      [`a blob row of ${giantBytes / 1e6} MB`, dumpOf(1000, { giantBlobBytes: giantBytes })],
      [`a write row of ${giantBytes / 1e6} MB`, dumpOf(1000, { giantWriteBytes: giantBytes })],
    ];
    const measures: Measure[] = [];
    for (const [measure, settings] of cases) {
      const { peakBytes } = await withDump(settings, (dump, folder) => audited(dump, folder, memory));
      measures.push(
        judged(
          { measure: `${measure}, peak with ${told}`, value: peakBytes / 1e6, unit: 'MB' },
          { atMost: peakLimitMB },
          scale,
        ),
      );
    }
    return measures;
  },
};
