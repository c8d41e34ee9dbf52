/**
 * Can a sweep over stored rows tell abandoned threads from live and paused ones? A population whose truth is known
 * because it was made so, and sweeps that differ only in what they know beside the rows. Easy to get wrong: a run that
 * is killed and one that is at work leave the same rows, so truth is what was done to a run, never what its rows say.
 */
import type { Truth } from '#analysis/reconcile/truth.ts';

/**
 * Which way a thread takes through the graph. `line`: a held node in a line. `fan`: two nodes in one superstep, one of
 * which finishes while the other is held. `ask`: a node that interrupts. `review`: a static breakpoint. `fail`: a node
 * that throws. `tick`: a loop that stores a row again and again.
 */
export const populationPaths = ['line', 'fan', 'ask', 'review', 'fail', 'tick'] as const;
/** One of {@link populationPaths}. */
export type PopulationPath = (typeof populationPaths)[number];

/**
 * What is done to the run. `none`: it goes where its path leads. `abort`: its AbortSignal fires while its node is held.
 * `kill`: its process is ended by SIGKILL while its node is held. `hold`: its node is held until the sweep is over.
 */
export type Fate = 'none' | 'abort' | 'kill' | 'hold';

/** Threads made alike. */
export interface PopulationKind {
  /** Unique; threads are named after it. */
  readonly name: string;
  readonly truth: Truth;
  readonly path: PopulationPath;
  readonly fate: Fate;
  /** Whether its last row lies before or after the moment that `--min-age` is counted to. */
  readonly wave: 'early' | 'late';
  /** One line for lists. */
  readonly summary: string;
}

const kind = (
  name: string,
  truth: Truth,
  path: PopulationPath,
  fate: Fate,
  wave: PopulationKind['wave'],
  summary: string,
): PopulationKind => ({ name, truth, path, fate, wave, summary });

/** Every kind, in the order of tables. */
export const populationKinds: readonly PopulationKind[] = [
  kind('ended', 'terminal', 'line', 'none', 'early', 'ran to its end'),
  kind('failed', 'errored', 'fail', 'none', 'early', 'a node threw'),
  kind('cancelled', 'cancelled', 'line', 'abort', 'early', 'an AbortSignal fired while a node ran'),
  kind('asked', 'interrupted', 'ask', 'none', 'early', 'a node called interrupt()'),
  kind('paused', 'breakpoint', 'review', 'none', 'early', 'stopped by interruptBefore'),
  kind(
    'killed',
    'abandoned',
    'line',
    'kill',
    'early',
    'worker killed while the only node of a superstep ran',
  ),
  kind('killed-half', 'abandoned', 'fan', 'kill', 'early', 'worker killed with half a superstep finished'),
  kind('killed-late', 'abandoned', 'line', 'kill', 'late', 'as killed, its last row younger than --min-age'),
  kind(
    'killed-half-late',
    'abandoned',
    'fan',
    'kill',
    'late',
    'as killed-half, its last row younger than --min-age',
  ),
  kind('live', 'running', 'line', 'hold', 'early', 'at work in one node since before --min-age'),
  kind(
    'live-half',
    'running',
    'fan',
    'hold',
    'early',
    'at work, half of its superstep finished before --min-age',
  ),
  kind(
    'live-late',
    'running',
    'line',
    'hold',
    'late',
    'at work in one node, its last row younger than --min-age',
  ),
  kind(
    'live-half-late',
    'running',
    'fan',
    'hold',
    'late',
    'at work, half of its superstep finished since --min-age',
  ),
  kind(
    'live-busy',
    'running',
    'tick',
    'hold',
    'late',
    'stores a row every few milliseconds while the sweep reads',
  ),
];

/** The node before which the graph is made to stop. */
export const breakpointNode = 'review';

/** One sweep: what it knows beside the rows. */
export interface Sweep {
  readonly name: string;
  /** One line for lists. */
  readonly summary: string;
  /** `due-and-old`: what is usually written, a query for threads with something due and no row for a while. */
  readonly judge: 'audit' | 'due-and-old';
  readonly breakpoints: boolean;
  readonly minAge: boolean;
  readonly leases: boolean;
  readonly ledger: boolean;
  /** Whether it must call no live or paused thread abandoned, and every abandoned one so or leave it open. */
  readonly isSound: boolean;
}

const audit = { judge: 'audit', breakpoints: false, minAge: false, leases: false, ledger: false } as const;

/** Every sweep, weakest first. */
export const sweeps: readonly Sweep[] = [
  {
    ...audit,
    name: 'due-and-old',
    judge: 'due-and-old',
    minAge: true,
    isSound: false,
    summary: 'no audit: whatever has a node due and no row for --min-age is called abandoned',
  },
  { ...audit, name: 'rows', isSound: false, summary: 'audit of the rows alone' },
  { ...audit, name: 'breakpoints', breakpoints: true, isSound: false, summary: 'audit --breakpoints' },
  {
    ...audit,
    name: 'min-age',
    breakpoints: true,
    minAge: true,
    isSound: false,
    summary: 'audit --breakpoints --min-age',
  },
  { ...audit, name: 'leases', leases: true, isSound: true, summary: 'audit --active' },
  {
    ...audit,
    name: 'leases+breakpoints',
    leases: true,
    breakpoints: true,
    isSound: true,
    summary: 'audit --active --breakpoints',
  },
  {
    ...audit,
    name: 'leases+breakpoints+min-age',
    leases: true,
    breakpoints: true,
    minAge: true,
    isSound: true,
    summary: 'audit --active --breakpoints --min-age',
  },
  {
    ...audit,
    name: 'ledger',
    ledger: true,
    breakpoints: true,
    isSound: true,
    summary: 'audit --ledger --breakpoints, the ledger with heartbeats',
  },
];

/** What the experiment can show to be true or false. */
export const reconcileClaim =
  'does a sweep that is told of leases or heartbeats call no live or paused thread abandoned, and no abandoned one anything else';
