/**
 * What a scenario is: a claim about concurrent workers, declared as data. The runner in src/ reads it and acts;
 * nothing here opens a socket or a file. Delays are declared at full length; a series scales them.
 */
import type { Anomaly } from '#analysis/comparison/arm-matrix.ts';
import type { ArmClaim } from '#analysis/comparison/arm-verdict.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { GraphDeclaration } from './graph.ts';
import type { Charging, ProviderFaults, ProviderMoment } from './provider.ts';

/** When LangGraph saves: each superstep without waiting, each superstep and wait, or once when the run exits. */
export const durabilities = ['async', 'sync', 'exit'] as const;
/** One of {@link durabilities}. */
export type Durability = (typeof durabilities)[number];

/** At least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];

/**
 * A checkpoint that a request names instead of leaving the choice to the saver. It is asked for once when its stage
 * begins, so that requests of one stage with equal choices name one id. `head`: the greatest id; `first-before`: the
 * oldest one at which the node was next.
 */
export type CheckpointChoice =
  { readonly at: 'head' } | { readonly at: 'first-before'; readonly node: string };

/** One request of a stage. */
export interface RequestPlan {
  /** Unique within the scenario; the run token is `<thread>/<name>`. */
  readonly name: string;
  /** The graph's input; an empty object is new input that changes no channel, null would resume. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** The answer to the interrupt that the thread waits at, in place of `input`, which is null then. Left out: none. */
  readonly resume?: { readonly value: Json };
  /** Left out: the request names no checkpoint, and the saver loads the head. */
  readonly from?: CheckpointChoice;
  /** The client closes its socket after reading this many chunks; null reads to the end. */
  readonly disconnectAfterChunk: number | null;
  /** Sent this long after the start line opens, unscaled milliseconds. */
  readonly offsetMs: number;
  /** The client's own timeout: it closes its socket this long after its release, unscaled; absent: it has none. */
  readonly timeoutMs?: number;
  /** The client closes its socket in the moment in which a service has come so far with its run; absent: it does not. */
  readonly leavesAt?: ServiceMoment;
  /**
   * The process that serves it stands still (SIGSTOP) from the chunk on that its client reads as the given one, for so
   * many unscaled milliseconds; absent: it does not. The arm is exclusive.
   */
  readonly pausesWorker?: { readonly afterChunk: number; readonly forMs: number };
  /**
   * Sent to the trial's second thread, which has nothing to do with the first but that `hashtext` makes 32 equal bits of
   * both ids; absent: to the trial's thread.
   */
  readonly isOnNeighbour?: true;
  /** What goes wrong at services with this request's run; absent: nothing. */
  readonly faults?: ServiceFaults;
  /**
   * Starts nothing: the client of that earlier request comes back and reads on behind the last event that it has.
   * Absent: the request starts a run.
   */
  readonly rejoins?: string;
  /** A run that fails is a result here; absent: it aborts the trial. */
  readonly mayFail?: true;
}

/** How far a service has come. */
export interface ServiceMoment {
  readonly service: 'provider';
  readonly moment: ProviderMoment;
}

/** What goes wrong at services, by their name. */
export interface ServiceFaults {
  readonly provider?: ProviderFaults;
}

/**
 * What is waited for before the next stage. `run-ended`: until the workers say that every run of the stage has ended
 * and its rows are stored. `client-done`: only until the client is done; an aborted run may still be writing.
 */
export type Settle = 'run-ended' | 'client-done';

/** Requests released from one start line, and what is waited for after them. */
export interface Stage {
  readonly requests: NonEmpty<RequestPlan>;
  readonly settle: Settle;
  /** All requests of the stage go to one worker; absent: racing requests go to different ones. */
  readonly isOnOneWorker?: true;
}

/** What should happen once: for the whole trial, or once per request. */
export interface BusinessKey {
  readonly nodes: readonly string[];
  readonly per: 'trial' | 'request';
}

/** When a queue takes a worker for dead, and what it does then. Real seconds, not scaled: queues count in seconds. */
export interface QueueTerms {
  readonly expiresAfterSeconds: number;
  /** How many times a run whose worker is taken for dead, or has failed, is given out again. */
  readonly redeliveries: number;
}

/** How a reverse proxy between client and worker is set up (src/services/nginx/nginx-config.ts). */
export type ReverseProxySetting =
  'defaults' | 'http-1.1' | 'buffering-off' | 'ignore-abort' | 'defaults-ignore-abort';

/** One variant under comparison: how requests are handled and what is done against races. */
export interface Arm {
  /** Unique within the scenario. */
  readonly name: string;
  /** One line for lists and tables. */
  readonly summary: string;
  /** Which handler shape serves the requests (src/worker/handlers/registry.ts). */
  readonly handler: string;
  /** Which mitigation admits them (src/worker/guards/registry.ts); `none` admits all at once. */
  readonly guard: string;
  /** What the saver mints as channel versions: LangGraph's integers, or strings that no two runs share. */
  readonly versions: 'integers' | 'strings';
  /** Null: what the series is told. */
  readonly durability: Durability | null;
  /** Null: the scenario's own. */
  readonly stages: NonEmpty<Stage> | null;
  /** Processes beside the workers that its trials need (src/services/registry.ts). */
  readonly services: readonly string[];
  /** Requests reach their worker through a reverse proxy, `nginx` among the services; absent: directly. */
  readonly through?: ReverseProxySetting;
  /** How nodes with a business key call the payment provider, a service; absent: their effect is the log line alone. */
  readonly charging?: Charging;
  /**
   * Its saver uses a pool that two runs are enough to exhaust; absent: a large one. The worker has one such pool, so of
   * these trials one runs at a time there.
   */
  readonly smallSaverPool?: true;
  /** What is done to show a defect of a mitigation, by name; absent: nothing beyond the scenario's own race. */
  readonly trigger?: string;
  /** What it is for, which the verdict on it tells about; absent: it claims nothing. */
  readonly claim?: ArmClaim;
  /** The terms on which its queue gives runs out; absent: once, and nothing expires. */
  readonly queue?: QueueTerms;
  /** Nodes stop working when their run is aborted; absent: they go on, as most do. */
  readonly nodesObeySignal?: true;
  /** Where the arm stands in the grid of its scenario; see {@link Scenario.grid}. */
  readonly cell?: { readonly row: string; readonly column: string };
  /** Its trials run alone, because their faults hit a whole process. */
  readonly isExclusive: boolean;
}

/** Requests stream inline, an AbortSignal fires when the client leaves, and nothing is done against races. */
export const plainArm: Arm = {
  name: 'none',
  summary: 'no mitigation',
  handler: 'abort-signal',
  guard: 'none',
  versions: 'integers',
  durability: null,
  stages: null,
  services: [],
  isExclusive: false,
};

/** A scenario as data. */
export interface Scenario {
  readonly name: string;
  /** One line for lists and `--help`. */
  readonly summary: string;
  /** What the series can show to be true or false, one sentence. */
  readonly claim: string;
  readonly graph: GraphDeclaration;
  readonly stages: NonEmpty<Stage>;
  /** The first is the baseline that the others are compared with. */
  readonly arms: NonEmpty<Arm>;
  /** What runs when nobody chooses: the baseline alone, or every arm. */
  readonly defaultArms: 'baseline' | 'all';
  /** Names of the requests whose runs are meant to overlap; empty for a control. */
  readonly racing: readonly string[];
  readonly businessKey: BusinessKey;
  /** The nodes counted in the outcome table, in graph order. */
  readonly counted: readonly string[];
  /** The thread is looked at this long after the last stage, unscaled, and again when all is quiet; absent: it is not. */
  readonly sampledAfterMs?: number;
  /** Arms are compared by when their worker learns that a client has left; absent: they are not. */
  readonly asksWhenLearned?: true;
  /** Rules beside those that follow from the graph; absent: none. */
  readonly rules?: readonly CountRule[];
  /** Where it was read from; absent: it is built in. */
  readonly file?: { readonly path: string; readonly sha256: string };
  /** Arms are compared by these anomalies, those of one trigger with its first; absent: each has a table of its own. */
  readonly anomalies?: readonly Anomaly[];
  /** Arms are compared in a grid whose cells tell this outcome; absent: each arm has a table of its own. */
  readonly grid?: { readonly rows: string; readonly outcome: string };
}

/** The racing requests that an arm releases together; empty when its stages come one after another. */
export function racingOf(scenario: Scenario, arm: Arm): readonly string[] {
  return stagesOf(scenario, arm).flatMap(({ requests }) => {
    const together = requests.map(({ name }) => name).filter((name) => scenario.racing.includes(name));
    return together.length > 1 ? together : [];
  });
}

/** Whether trials of the arm have a second thread; see {@link RequestPlan.isOnNeighbour}. */
export function hasNeighbour(scenario: Scenario, arm: Arm): boolean {
  return stagesOf(scenario, arm).some(({ requests }) =>
    requests.some(({ isOnNeighbour }) => isOnNeighbour === true),
  );
}

/** The stages of an arm's trials. */
export function stagesOf(scenario: Scenario, arm: Arm): NonEmpty<Stage> {
  return arm.stages ?? scenario.stages;
}
