/**
 * What two series must have in common before their trials may be added up. Easy to get wrong: a number that a newer
 * LangGraph gave and one that an older gave are two numbers, however alike the commands were.
 */
import type { SeriesSettings } from '../rundir/series-file.ts';

/** A setting in which series differ, and what each of them has. */
export interface Unlike {
  readonly setting: string;
  readonly values: readonly string[];
}

/** The settings in which the series differ; empty when they may be pooled. */
export function unlikeSettings(series: readonly SeriesSettings[]): readonly Unlike[] {
  const all = series.map(comparable);
  const settings = new Set(all.flatMap((one) => [...one.keys()]));
  return [...settings].flatMap((setting) => {
    const values = all.map((one) => one.get(setting) ?? 'absent');
    return new Set(values).size === 1 ? [] : [{ setting, values }];
  });
}

/** The seed chooses workers alone, and the number of trials is what is added up. */
function comparable(series: SeriesSettings): ReadonlyMap<string, string> {
  const settings = new Map<string, string>([
    ['scenario', series.scenario],
    ['scenario file', series.scenarioFile?.sha256 ?? 'built in'],
    ['target', series.target?.urls.join(' ') ?? 'own workers'],
    ['durability', series.durability ?? 'unknown'],
    ['scale', String(series.scale)],
    ['workers', String(series.workers)],
    ['parallel', String(series.parallel)],
    ['same worker', String(series.sameWorker)],
    ['stopping', series.stopping === undefined ? 'fixed' : 'by its results'],
    ['swept arm', series.swept?.arm ?? 'no sweep'],
    ['database', series.database],
    ...Object.entries(series.versions).map(([name, version]) => [`version of ${name}`, version] as const),
  ]);
  for (const { name, handler, guard, versions, durability } of series.compared)
    settings.set(`arm ${name}`, [handler, guard, versions, durability].join(', '));
  return settings;
}
