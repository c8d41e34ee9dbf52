/**
 * One run of a line of nodes as a sequence of moves, so that a schedule can interleave runs move by move: load, input
 * row, then per superstep the node's effect, its writes, its row. A cancelled run commits nothing more, but the node
 * it was in may still take effect: a zombie.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { Effect } from '#analysis/model/effect.ts';
import {
  rootNamespace,
  type ChannelName,
  type CheckpointId,
  type NodeName,
  type RunToken,
} from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import { checkpointId, epochMs, taskId } from './identities.ts';
import type { SimulatedSaver } from './saver.ts';
import {
  loaded,
  receiptsChannel,
  rowOf,
  stepsChannel,
  triggerOf,
  withInput,
  withStamp,
  withSuperstep,
  type Draft,
  type Minting,
} from './superstep.ts';

const startNode = '__start__' as NodeName;

/** What a run is asked to do. */
export interface RunPlan {
  readonly run: RunToken;
  readonly worker: string;
  readonly begins: 'input' | 'resume';
  /** After this many moves the run is cancelled; null: it runs to the end. */
  readonly cancelAfter: number | null;
  /** Whether the node it was in still takes effect after the cancellation. */
  readonly zombie: boolean;
}

/** What all runs of a simulation share. */
export interface World {
  readonly saver: SimulatedSaver;
  readonly nodes: readonly NodeName[];
  readonly minting: Minting;
  /** The next virtual moment, later than all before. */
  readonly tick: () => number;
  /** The log: gives each record its worker's next sequence number. */
  readonly emit: (effect: Omit<Effect, 'sequence'>) => void;
}

/** A run that moves when told to. */
export class SimulatedRun {
  private readonly plan: RunPlan;
  private readonly world: World;
  private readonly moves: Generator<void, void, void>;
  private made = 0;
  private at: CheckpointRow | null = null;
  private draft: Draft = loaded(null, null);
  private steps: readonly string[] = [];
  private receipts: readonly string[] = [];
  private firstReadMs: number | null = null;
  private lastPutMs: number | null = null;
  private cancelledMs: number | null = null;
  private ended = false;
  /** The node whose body has begun and not yet taken effect. */
  private inAir: NodeName | null = null;

  constructor(plan: RunPlan, world: World) {
    this.plan = plan;
    this.world = world;
    this.moves = this.go();
  }

  /** Makes one move; false when the run had ended before. */
  move(): boolean {
    if (this.ended) return false;
    if (this.plan.cancelAfter !== null && this.made >= this.plan.cancelAfter) this.cancel();
    else {
      this.made += 1;
      if (this.moves.next().done === true) this.ended = true;
    }
    return true;
  }

  /** What the run's worker would report. */
  record(): RunRecord {
    const completed = this.ended && this.cancelledMs === null;
    return {
      run: this.plan.run,
      thread: this.world.saver.thread,
      worker: this.plan.worker,
      outcome: completed ? 'completed' : 'cancelled',
      firstReadMs: this.firstReadMs,
      lastPutMs: this.lastPutMs,
      cancelledMs: this.cancelledMs,
      returned: completed ? { steps: this.steps, receipts: this.receipts } : null,
      error: null,
    };
  }

  private cancel(): void {
    this.ended = true;
    this.cancelledMs = this.world.tick();
    // Only a body in the air can land late: one that already took effect does not do so twice.
    if (this.plan.zombie && this.inAir !== null && this.at !== null) this.effect(this.inAir, this.at.id);
  }

  private *go(): Generator<void, void, void> {
    const { saver, minting } = this.world;
    this.firstReadMs = this.world.tick();
    this.at = saver.head();
    this.draft = loaded(this.at, dueAt(this.at, this.world));
    this.steps = saver.list(this.at, stepsChannel);
    this.receipts = saver.list(this.at, receiptsChannel);
    this.lastPutMs = this.firstReadMs;
    if (this.plan.begins === 'input') {
      yield;
      const { next, changed } = withInput(this.draft, minting, this.plan.run);
      this.put(next, changed, 'input');
    } else this.draft = withStamp(this.draft);
    while (this.draft.due !== null) yield* this.superstep(this.draft.due);
  }

  private *superstep(due: NodeName): Generator<void, void, void> {
    const { saver, nodes, minting } = this.world;
    const planned = this.at;
    if (planned === null) return;
    const task = taskId(planned.id, due);
    const isNode = nodes.includes(due);
    const following = nodes[isNode ? nodes.indexOf(due) + 1 : 0] ?? null;
    if (!saver.hasWrites(planned.id, task)) {
      this.inAir = isNode ? due : null;
      yield;
      if (isNode) this.effect(due, planned.id);
      yield;
      const receipt = `${due}@${this.plan.run}`;
      saver.putWrites(planned.id, task, [
        [stepsChannel, isNode ? [due] : []],
        [receiptsChannel, isNode ? [receipt] : []],
        ...(following === null ? [] : [[triggerOf(following), null] as const]),
      ]);
      this.lastPutMs = this.world.tick();
    }
    yield;
    if (isNode) {
      this.steps = [...this.steps, due];
      this.receipts = [...this.receipts, `${due}@${this.plan.run}`];
    }
    const { next, changed } = withSuperstep(this.draft, following, minting, this.plan.run);
    this.put(next, changed, 'loop');
  }

  private effect(node: NodeName, parent: CheckpointId): void {
    this.inAir = null;
    const monotonicMs = this.world.tick();
    this.world.emit({
      thread: this.world.saver.thread,
      node,
      run: this.plan.run,
      parent,
      task: taskId(parent, node),
      namespace: rootNamespace,
      step: this.draft.step + 1,
      attempt: 1,
      wallMs: epochMs + monotonicMs,
      monotonicMs,
      worker: this.plan.worker,
      businessKey: null,
    });
  }

  private put(next: Draft, changed: readonly ChannelName[], source: 'input' | 'loop'): void {
    const timeMs = this.world.tick();
    const row = rowOf(
      next,
      {
        thread: this.world.saver.thread,
        id: checkpointId(timeMs, next.step, timeMs),
        parent: this.at?.id ?? null,
        run: this.plan.run,
      },
      source,
      new Date(epochMs + timeMs).toISOString(),
    );
    const values = new Map<ChannelName, unknown>();
    for (const channel of changed) {
      if (channel === stepsChannel) values.set(channel, this.steps);
      else if (channel === receiptsChannel) values.set(channel, this.receipts);
      // A set trigger holds null, a cleared one has no value.
      else values.set(channel, next.due !== null && channel === triggerOf(next.due) ? null : undefined);
    }
    this.world.saver.put(row, values);
    this.lastPutMs = timeMs;
    this.at = row;
    this.draft = next;
  }
}

/** The node whose trigger has a value that it has not seen, read through the blobs as LangGraph does. */
function dueAt(row: CheckpointRow | null, world: World): NodeName | null {
  if (row === null) return null;
  for (const node of [startNode, ...world.nodes]) {
    const channel = triggerOf(node);
    const version = row.channelVersions.get(channel);
    const unseen = version !== undefined && row.versionsSeen.get(node)?.get(channel) !== version;
    if (unseen && world.saver.isSet(row, channel)) return node;
  }
  return null;
}
