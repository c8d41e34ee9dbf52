/** What a raced series comes to, stored in its run directory: the arms' outcomes, and what they are compared in. */
import { learnedArm } from '#analysis/disconnect/when-learned.ts';
import { writeSeriesFile, type SeriesFile } from '../rundir/series-file.ts';
import type { RunLayout } from '../rundir/layout.ts';
import { analyseSeries, type SeriesAnalysis } from './series-analysis.ts';
import { seriesMatrices } from './series-matrix.ts';
import { seriesSweep } from './series-sweep.ts';
import type { RacedSeries } from './series.ts';

/** A series to its end. */
export interface AnalysedSeries {
  readonly layout: RunLayout;
  readonly analysed: SeriesFile;
  readonly analysis: SeriesAnalysis;
}

/** Analyses a raced series and writes what came out. *Fails* with OperatorError. */
export async function analysedSeries(
  { layout, series }: RacedSeries,
  signal: AbortSignal,
): Promise<AnalysedSeries> {
  const analysis = await analyseSeries(layout.folder, series, signal);
  const matrices = seriesMatrices(series, analysis.arms);
  const sweep = seriesSweep(series, analysis.arms);
  const analysed: SeriesFile = {
    ...series,
    phase: 'analysed',
    arms: analysis.arms.map(({ outcomes }) => outcomes),
    ...(matrices.length === 0 ? {} : { matrices }),
    ...(series.asksWhenLearned === undefined
      ? {}
      : {
          learned: analysis.arms.map(({ outcomes, leaves }) => learnedArm(outcomes, leaves, series.interval)),
        }),
    ...(sweep === null ? {} : { sweep }),
  };
  writeSeriesFile(layout, analysed);
  return { layout, analysed, analysis };
}
