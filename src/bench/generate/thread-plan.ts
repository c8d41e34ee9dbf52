/**
 * What one thread of a dump is: its writer, graph, runs and planted fork, from its number alone. Easy to get wrong: a
 * fork is planted by the thread's number, so that the number of forks is exact whatever chance gives.
 */
import { Chance } from './chance.ts';
import { line, loop, sends, type Graph } from './graphs.ts';
import type { Language } from './moments.ts';
import type { DumpSettings } from './settings.ts';

/** The forks a dump can hold, all of them races. */
export type PlantedClass = 'two-roots' | 'double-input' | 'input-during-run';

const plantedClasses = ['two-roots', 'double-input', 'input-during-run'] as const;

/** A thread before it is told row by row. */
export interface ThreadPlan {
  readonly number: number;
  readonly thread: string;
  readonly language: Language;
  /** Whether Python's state is text and numbers, which stand in the row itself; never for JS. */
  readonly inline: boolean;
  readonly graph: Graph;
  /** Loop turns of each run; at least one run. */
  readonly runs: readonly number[];
  readonly fork: { readonly class: PlantedClass; readonly run: number } | null;
  /** Whether the last run waits in an interrupt. */
  readonly interrupted: boolean;
  readonly startMs: number;
  /** Drawn from on. */
  readonly chance: Chance;
}

/** How all threads of a dump are spread. */
export interface DumpPlan {
  readonly settings: DumpSettings;
  readonly threads: number;
  /** Milliseconds between the starts of two threads. */
  readonly spacingMs: number;
}

/** Fewest and most checkpoints of a thread, before a fork adds a run. */
const [fewest, most] = [10, 60];

/** Mean length of a thread's life, measured over many. */
const meanLifeMs = 160_000;

/** Spreads the checkpoints over threads, by the mean size of a sample. */
export function planDump(settings: DumpSettings): DumpPlan {
  const { checkpoints, forks, liveThreads } = settings;
  const spacingMs = meanLifeMs / liveThreads;
  const sample = 2000;
  let sum = 0;
  for (let number = 0; number < sample; number += 1) {
    const { graph, runs, interrupted } = planThread({ settings, threads: 0, spacingMs }, number);
    for (const turns of runs) sum += 1 + graph.run(turns).length;
    if (interrupted) sum -= interruptedRows;
  }
  // A fork adds one run of the line.
  const threads = Math.max(1, Math.round((checkpoints - 6 * forks) / (sum / sample)));
  return { settings, threads, spacingMs };
}

/** Rows that the last run of an interrupted thread has not written. */
const interruptedRows = 2;

/** The plan of the thread with that number. */
export function planThread({ settings, threads, spacingMs }: DumpPlan, number: number): ThreadPlan {
  const chance = new Chance(settings.seed, number);
  const thread = threadId(chance);
  const language = chance.unit() < settings.jsShare ? 'js' : 'python';
  const inline = language === 'python' && chance.unit() < 0.85;
  const forked = threads === 0 ? null : plantedFork(settings.forks, threads, number);
  const kind = chance.unit();
  const graph = forked !== null || kind < 0.87 ? line : kind < 0.97 ? loop : sends;
  const size = fewest * (most / fewest) ** chance.unit();
  const runs: number[] = [];
  for (let rows = 0; rows + 3 < size || runs.length === 0;) {
    const turns = graph === loop ? chance.between(1, 6) : 0;
    runs.push(turns);
    rows += 1 + graph.run(turns).length;
  }
  const interrupted = chance.unit() < 0.02 && graph === line && forked === null;
  const startMs = number * spacingMs + chance.unit() * spacingMs;
  const run = forked === 'two-roots' ? 0 : chance.between(0, runs.length);
  // The first run has no head on which two inputs could meet.
  const fork =
    forked === null ? null : { class: forked === 'double-input' && run === 0 ? 'two-roots' : forked, run };
  return { number, thread, language, inline, graph, runs, fork, interrupted, startMs, chance };
}

function plantedFork(forks: number, threads: number, number: number): PlantedClass | null {
  const before = Math.floor((number * forks) / threads);
  if (Math.floor(((number + 1) * forks) / threads) === before) return null;
  return plantedClasses[before % plantedClasses.length] ?? null;
}

/** A version-4 UUID, as services name threads. */
function threadId(chance: Chance): string {
  const hex = chance.hex8() + chance.hex8() + chance.hex8() + chance.hex8();
  const variant = (8 + (chance.bits() & 3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Whether all its blobs and writes stay, whatever the dump's retention. */
export function isWhole({ fork, interrupted, graph }: ThreadPlan): boolean {
  return fork !== null || interrupted || graph === sends;
}
