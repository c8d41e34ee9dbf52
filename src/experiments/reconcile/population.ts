/**
 * Makes the population: early threads, a moment, late threads, and the kill. Easy to get wrong: what a thread is must
 * not depend on how fast anything was, so each step waits until the database shows the one before.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { PopulationKind } from '#trials/experiments/reconcile.ts';
import type { PopulationProcess } from './population-process.ts';
import type { RunEnd } from './population-protocol.ts';
import { leasesEnded, rowsStored } from './stored-rows.ts';

/** One thread that was made. */
export interface MadeThread {
  readonly thread: string;
  readonly kind: PopulationKind;
  readonly process: PopulationProcess;
}

/** The whole population, at the moment of the sweep. */
export interface Population {
  readonly threads: readonly MadeThread[];
  /** Why threads are not what they were to be, by thread; they are not counted. */
  readonly misbuilt: Map<string, string>;
  /** Between the early and the late threads, Unix milliseconds of this machine. */
  readonly momentMs: number;
}

/** What it is made with. */
export interface PopulationPlan {
  readonly kinds: readonly PopulationKind[];
  /** Threads of each kind. */
  readonly each: number;
  /** What thread names begin with. */
  readonly prefix: string;
  /** Processes that live on. */
  readonly keepers: readonly PopulationProcess[];
  /** Processes that are killed, with everything that they hold. */
  readonly victims: readonly PopulationProcess[];
  /** After so many milliseconds without a sign of life a run counts as stalled. */
  readonly silenceMs: number;
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly signal: AbortSignal;
  readonly progress: (made: number) => void;
}

/** Makes it. Every live run is held when this resolves, every victim is dead, and its leases have ended. */
export async function makePopulation(plan: PopulationPlan): Promise<Population> {
  const misbuilt = new Map<string, string>();
  const early = await makeWave(plan, 'early', misbuilt);
  const momentMs = Date.now();
  // A row of the next millisecond is certainly younger.
  while (Date.now() <= momentMs + 1) await delay(1, undefined, { signal: plan.signal });
  const late = await makeWave(plan, 'late', misbuilt);
  await Promise.all(plan.victims.map((victim) => victim.kill()));
  const killedMs = Date.now();
  await leasesEnded(
    plan.pool,
    plan.schema,
    plan.victims.map(({ pid }) => pid),
    plan.signal,
  );
  // A victim's newest row may be younger than its last heartbeat, and is a sign of life too as long as it is fresh.
  const freshMs = killedMs + plan.silenceMs - Date.now();
  if (freshMs >= 0) await delay(freshMs + 1, undefined, { signal: plan.signal });
  return { threads: [...early, ...late], misbuilt, momentMs };
}

/** Lets the live runs go on and notes those that do not end as a run at work does. */
export async function releasePopulation({ threads, misbuilt }: Population): Promise<void> {
  const live = threads.filter(({ kind }) => kind.fate === 'hold');
  for (const process of new Set(live.map((made) => made.process))) process.open();
  await Promise.all(live.map(async (made) => check(made, misbuilt, 'ended')));
}

async function makeWave(
  plan: PopulationPlan,
  wave: PopulationKind['wave'],
  misbuilt: Map<string, string>,
): Promise<readonly MadeThread[]> {
  const kinds = plan.kinds.filter((kind) => kind.wave === wave);
  const threads = kinds.flatMap((kind, at) =>
    Array.from({ length: plan.each }, (_, index): MadeThread => {
      const among = kind.fate === 'kill' ? plan.victims : plan.keepers;
      const process = among[(at * plan.each + index) % among.length];
      if (process === undefined) throw new RangeError('there is a process for every fate');
      return { thread: `${plan.prefix}-${kind.name}-${index + 1}`, kind, process };
    }),
  );
  let made = 0;
  const isStanding = ({ kind }: MadeThread): boolean => kind.fate === 'hold' || kind.fate === 'kill';
  const stop = stopped(plan.signal);
  try {
    await Promise.race([
      stop.promise,
      Promise.all(
        threads.map(async (thread) => {
          const { kind, process } = thread;
          process.run({
            thread: thread.thread,
            path: kind.path,
            isHeld: isStanding(thread),
            isAborted: kind.fate === 'abort',
          });
          if (isStanding(thread)) await process.held(thread.thread);
          else await check(thread, misbuilt, expectedEnd(kind));
          made += 1;
          plan.progress(made);
        }),
      ),
    ]);
  } finally {
    stop.forget();
  }
  const standing = threads.filter(isStanding);
  await rowsStored(
    plan.pool,
    plan.schema,
    {
      all: standing.map(({ thread }) => thread),
      half: standing.filter(({ kind }) => kind.path === 'fan').map(({ thread }) => thread),
    },
    plan.signal,
  );
  return threads;
}

async function check(
  { thread, process }: MadeThread,
  misbuilt: Map<string, string>,
  expected: RunEnd,
): Promise<void> {
  const { end, because } = await process.over(thread);
  if (end === expected) return;
  const why = because === null ? '' : ` (${because})`;
  misbuilt.set(thread, `its run was to be ${expected} and is ${end}${why}`);
}

function expectedEnd({ path, fate }: PopulationKind): RunEnd {
  if (fate === 'abort') return 'aborted';
  const ends = { ask: 'asked', review: 'paused', fail: 'failed' } as const;
  return path === 'ask' || path === 'review' || path === 'fail' ? ends[path] : 'ended';
}

/** Rejects when the signal fires. */
function stopped(signal: AbortSignal): { readonly promise: Promise<never>; readonly forget: () => void } {
  let stop: () => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    stop = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  promise.catch(() => undefined);
  return {
    promise,
    forget: () => {
      signal.removeEventListener('abort', stop);
    },
  };
}
