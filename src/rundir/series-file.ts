/**
 * `series.json`, format `forkscope-series/1`: how a series was run and, once analysed, what came out. It is written
 * when the series starts, when its trials are over and when they are analysed, so `phase` says how far it got.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { TriggerMatrix } from '#analysis/comparison/arm-matrix.ts';
import type { LearnedArm } from '#analysis/disconnect/when-learned.ts';
import { intervalMethods } from '#analysis/model/interval.ts';
import type { ArmSummary } from '#analysis/model/trial.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { SweepPoint } from '#analysis/sweep/curve.ts';
import type { AnalysisOptions } from '#analysis/model/evidence.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { durabilities } from '#trials/scenario.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { layoutOf, replaceFile, type RunLayout } from './layout.ts';

const nodeName = z.string().transform((text) => text as NodeName);
const nodeNames = z.array(nodeName);

/** A graph's shape as token flow sees it, stored so that a re-analysis needs no graph. */
const graphShapeSchema = z.object({
  nodes: nodeNames,
  edges: z.array(z.object({ from: nodeName.nullable(), to: nodeName })),
  barriers: z.array(z.object({ from: nodeNames, to: nodeName })),
  unbounded: nodeNames,
  deferred: nodeNames.default([]),
});

/** A sweep: its arms differ in the gap between their racers alone. */
const sweptSchema = z.object({
  /** The arm of the scenario that they are made of. */
  arm: z.string(),
  /** In the order in which they are released. */
  racers: z.array(z.string()),
  /** As planned, real milliseconds; one arm each. */
  gapsMs: z.array(z.number()),
  /** The outcome whose share the curve shows: above zero, or a value. */
  outcome: z.string(),
  value: z.string().nullable(),
  /** How long a run takes when nobody disturbs it, where gaps were asked for in such lengths; null: they were not. */
  run: z.object({ medianMs: z.number(), of: z.number().int(), folder: z.string() }).nullable(),
});

/** How the arms of a sweep were made. */
export type SweptSettings = z.infer<typeof sweptSchema>;

const settingsSchema = z.object({
  format: z.literal('forkscope-series/1'),
  scenario: z.string(),
  claim: z.string(),
  /** Absent: the scenario is built in. */
  scenarioFile: z.object({ path: z.string(), sha256: z.string() }).optional(),
  /** The service that was raced; absent: workers of our own. Nothing is known of its graph, its runs' ends and results. */
  target: z.object({ urls: z.array(z.string()), schema: z.string(), quietMs: z.number() }).optional(),
  seed: z.number().int(),
  trials: z.number().int(),
  /** What ended arms before their trials; absent: nothing. */
  stopping: z.object({ outcome: z.string(), value: z.string().nullable(), width: z.number() }).optional(),
  parallel: z.number().int(),
  workers: z.number().int(),
  /** Null: a service of somebody else decides it. */
  durability: z.enum(durabilities).nullable(),
  scale: z.number(),
  sameWorker: z.boolean(),
  interval: z.object({ method: z.enum(intervalMethods), level: z.number() }),
  startedAt: z.string(),
  versions: z.object({
    forkscope: z.string(),
    node: z.string(),
    langgraph: z.string(),
    checkpoint: z.string(),
    saver: z.string(),
    postgres: z.string(),
  }),
  database: z.enum(['embedded', 'external']),
  /** The outcome keys' node names, in graph order. */
  counted: nodeNames,
  racing: z.array(z.string()),
  /** The variants, as they were run; absent in series of one arm that were stored before there were several. */
  compared: z
    .array(
      z.object({
        name: z.string(),
        summary: z.string(),
        handler: z.string(),
        guard: z.string(),
        versions: z.enum(['integers', 'strings']),
        durability: z.enum(durabilities),
        /** The requests that are released together; absent: those of the series. */
        racing: z.array(z.string()).optional(),
        /** What is done to show a defect; absent: nothing. */
        trigger: z.string().optional(),
        /** What it is for; absent: it claims nothing. */
        claim: z
          .discriminatedUnion('kind', [
            z.object({ kind: z.literal('prevents'), anomalies: z.array(z.string()).readonly() }),
            z.object({ kind: z.literal('shows'), anomaly: z.string() }),
          ])
          .optional(),
        /** Its place in the grid. */
        cell: z.object({ row: z.string(), column: z.string() }).optional(),
      }),
    )
    .default([]),
  /** The anomalies that arms are compared by; absent: they are not. */
  anomalies: z
    .array(
      z.object({
        name: z.string(),
        outcomes: z.array(z.string()),
        whenAbsent: z.enum(['zero', 'not-measured']),
      }),
    )
    .optional(),
  /** The outcome that the cells of a grid of arms tell; absent: there is no grid. */
  grid: z.object({ rows: z.string(), outcome: z.string() }).optional(),
  /** Arms are compared by when their worker learns that a client has left; absent: they are not. */
  asksWhenLearned: z.literal(true).optional(),
  /** Absent: the series is no sweep. */
  swept: sweptSchema.optional(),
  graph: graphShapeSchema,
});

/** How a series was run. */
export type SeriesSettings = z.infer<typeof settingsSchema>;

/** How far a series got. `stopped`: it ended early, by a signal or an error; what it has is kept. */
export type SeriesPhase = 'started' | 'raced' | 'stopped' | 'analysed';

/** The whole of `series.json`. */
export interface SeriesFile extends SeriesSettings {
  readonly phase: SeriesPhase;
  /** Wall milliseconds of the trials alone, database and worker start not included; null before they ended. */
  readonly racedMs: number | null;
  readonly rules: readonly CountRule[];
  readonly arms: readonly ArmSummary[];
  /** Arms against anomalies, where the scenario compares them. */
  readonly matrices?: readonly TriggerMatrix[];
  /** When the workers of each arm learned that a client had left, where the scenario asks. */
  readonly learned?: readonly LearnedArm[];
  /** The curve of a sweep. */
  readonly sweep?: readonly SweepPoint[];
}

/** Writes `series.json` in one step. */
export function writeSeriesFile(layout: RunLayout, series: SeriesFile): void {
  replaceFile(layout.series, `${JSON.stringify(series, null, 2)}\n`);
}

/** Reads the settings of a stored series; outcomes are computed anew from the rows, never read back. */
export function readSettings(folder: string): SeriesSettings {
  const path = layoutOf(folder).series;
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new OperatorError({
      happened: `the series file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      place: path,
      remedy: 'Give the folder of a series, such as runs/latest.',
      cause,
    });
  }
  const settings = settingsSchema.safeParse(raw);
  if (settings.success) return settings.data;
  throw new OperatorError({
    happened: `the series file is not forkscope-series/1: ${z.prettifyError(settings.error)}`,
    place: path,
    remedy: 'Read it with the version of forkscope that wrote it.',
  });
}

/** What the analysis is asked about every thread of a series. */
export function optionsFor(settings: SeriesSettings, rules: readonly CountRule[]): AnalysisOptions {
  if (settings.target !== undefined) return { rules: [] };
  return { rules, shape: settings.graph, loggingNodes: settings.counted };
}
