/**
 * What one thread of a dump is: its writer, graph, runs and planted fork, from its variant alone. Easy to get wrong:
 * draws of one thread must not depend on another's, so each variant has a stream of chance of its own.
 */
import { Chance } from '#src/chance.ts';
import { line, loop, sends, type Graph } from './graphs.ts';
import type { Language } from './moments.ts';
import type { DumpSettings } from './settings.ts';

/** The forks a dump can hold, all of them races. */
export type PlantedClass = 'two-roots' | 'double-input' | 'input-during-run';

/** In the order in which they are planted. */
export const plantedClasses = ['two-roots', 'double-input', 'input-during-run'] as const;

/** A thread before it is told row by row. */
export interface ThreadPlan {
  readonly language: Language;
  /** Whether Python's state is text and numbers, which stand in the row itself; never for JS. */
  readonly inline: boolean;
  readonly graph: Graph;
  /** Loop turns of each run; at least one run. */
  readonly runs: readonly number[];
  readonly fork: { readonly class: PlantedClass; readonly run: number } | null;
  /** Whether the last run waits in an interrupt. */
  readonly interrupted: boolean;
  /** Drawn from on while the thread is told. */
  readonly chance: Chance;
}

/** Fewest and most checkpoints of a thread, before a fork adds a run. */
const [fewest, most] = [10, 60];

/** The plan of a variant; `forked` is the class of its fork. */
export function planThread(settings: DumpSettings, variant: number, forked: PlantedClass | null): ThreadPlan {
  const chance = new Chance(settings.seed, (forked === null ? 0x4000_0000 : 0x6000_0000) + variant);
  const language = chance.unit() < settings.jsShare ? 'js' : 'python';
  const inline = language === 'python' && chance.unit() < 0.85;
  const kind = chance.unit();
  const graph = forked !== null || kind < 0.87 ? line : kind < 0.97 ? loop : sends;
  const size = fewest * (most / fewest) ** chance.unit();
  const runs: number[] = [];
  for (let rows = 0; rows + 3 < size || runs.length === 0;) {
    const turns = graph === loop ? chance.between(1, 6) : 0;
    runs.push(turns);
    rows += 1 + graph.run(turns).length;
  }
  // Two inputs meet on a head only after a first run.
  if (forked === 'double-input' && runs.length === 1) runs.push(0);
  const interrupted = chance.unit() < 0.02 && graph === line && forked === null;
  const first = forked === 'double-input' ? 1 : 0;
  const run = forked === 'two-roots' ? 0 : chance.between(first, runs.length);
  const fork = forked === null ? null : { class: forked, run };
  return { language, inline, graph, runs, fork, interrupted, chance };
}

/** Whether all its blobs and writes stay, whatever the dump's retention. */
export function isWhole({ fork, interrupted, graph }: ThreadPlan): boolean {
  return fork !== null || interrupted || graph === sends;
}
