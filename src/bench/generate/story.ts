/**
 * A thread's rows one after the other, from its plan. Easy to get wrong: a JS saver drops the second blob of one
 * (channel, version), so which blobs a forked thread has depends on which branch was first.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { Superstep } from './graphs.ts';
import { idRest, idTime } from './moments.ts';
import { stepItem } from './step-items.ts';
import { withInput, withSuperstep, type Made, type StoryRow } from './story-row.ts';
import type { ThreadPlan } from './thread-plan.ts';

/** One row, and what only the thread knows of it. */
export interface Told {
  readonly row: StoryRow;
  /** Channels whose blob another branch had stored before; most often none. */
  readonly dropped: readonly number[];
  /** Whether it is the thread's last. */
  readonly isLast: boolean;
}

const noneDropped: readonly number[] = [];

/** The rows in the order of their times, from 0 on; telling draws from the plan's chance. `drafts` is the number of prepared values. */
export function* tellThread(plan: ThreadPlan, drafts: number): Generator<Told> {
  const teller = new Teller(plan, drafts);
  let head: StoryRow | null = null;
  let nowMs = 0;
  const lastRun = plan.runs.length - 1;
  for (const [run, turns] of plan.runs.entries()) {
    const supersteps = takenSupersteps(plan, run, turns);
    const isLast = run === lastRun;
    if (plan.fork?.run === run) {
      const rows = teller.race(head, supersteps, nowMs, run, plan.fork.class);
      const stored = new Set<string>();
      for (const [at, row] of rows.entries()) {
        const dropped = plan.language === 'js' ? droppedBlobs(row, stored) : noneDropped;
        yield { row, dropped, isLast: isLast && at === rows.length - 1 };
        // What the next run loads: the greatest id of all.
        if (head === null || row.id > head.id) head = row;
        nowMs = row.timeMs;
      }
    } else {
      let left = supersteps.length;
      for (const row of teller.run(head, supersteps, nowMs, run)) {
        yield { row, dropped: noneDropped, isLast: isLast && left === 0 };
        left -= 1;
        head = row;
        nowMs = row.timeMs;
      }
    }
    nowMs += plan.chance.between(2000, 60_000);
  }
}

/** An interrupted run stops before its last two supersteps. */
function takenSupersteps(
  { graph, runs, interrupted }: ThreadPlan,
  run: number,
  turns: number,
): readonly Superstep[] {
  const supersteps = graph.run(turns);
  return interrupted && run === runs.length - 1 ? supersteps.slice(0, -2) : supersteps;
}

class Teller {
  readonly plan: ThreadPlan;
  private readonly drafts: number;

  constructor(plan: ThreadPlan, drafts: number) {
    this.plan = plan;
    this.drafts = drafts;
  }

  /** The rows of a run with new input at `parent`. */
  *run(
    parent: StoryRow | null,
    supersteps: readonly Superstep[],
    startMs: number,
    run: number,
  ): Generator<StoryRow> {
    const { graph, language, chance } = this.plan;
    let row = withInput(graph, parent, this.made(parent, startMs, run));
    yield row;
    let nowMs = startMs;
    for (const superstep of supersteps) {
      nowMs += superstep.node === 0 ? 1 + 8 * chance.unit() : 30 + 1500 * chance.unit() ** 3;
      row = withSuperstep(row, superstep, this.made(row, nowMs, run), (node, count) =>
        stepItem(language, graph.nodes[node] ?? '', count),
      );
      yield row;
    }
  }

  /** The rows of two runs that race, in the order of their times. */
  race(
    before: StoryRow | null,
    supersteps: readonly Superstep[],
    startMs: number,
    run: number,
    kind: NonNullable<ThreadPlan['fork']>['class'],
  ): StoryRow[] {
    const { chance } = this.plan;
    const rows = [...this.run(before, supersteps, startMs, run)];
    let parent = before;
    let secondMs = startMs + 1 + 8 * chance.unit();
    if (kind === 'input-during-run') {
      const at = chance.between(2, rows.length - 1);
      const [loaded, next] = [rows[at], rows[at + 1]];
      invariant(
        loaded !== undefined && next !== undefined,
        'a run of the line has a row after each but its last',
      );
      parent = loaded;
      secondMs = loaded.timeMs + (next.timeMs - loaded.timeMs) * (0.1 + 0.4 * chance.unit());
    }
    rows.push(...this.run(parent, supersteps, secondMs, run));
    return rows.sort((a, b) => a.timeMs - b.timeMs);
  }

  private made(parent: StoryRow | null, exactMs: number, run: number): Made {
    const { language, chance } = this.plan;
    // Exact in binary, so that moving it by whole milliseconds changes none of its digits below.
    const timeMs = Math.round(exactMs * 1024) / 1024;
    const id = idTime(language, timeMs) + idRest(language, parent === null ? -1 : parent.step + 1, chance);
    const draft = chance.between(0, this.drafts);
    const counter = (parent?.counter ?? 0) + 1;
    if (language === 'js') return { id, timeMs, run, draft, version: String(counter) };
    // `%032d.%016s` of a random number, made from digits: printing a float takes several times as long.
    const digits = chance.between(10_000, 1e8) * 1e8 + chance.between(1, 1e8);
    const version = `${String(counter).padStart(32, '0')}.0.${String(digits).padStart(16, '0')}`;
    return { id, timeMs, run, draft, version };
  }
}

/** Blobs are inserted ON CONFLICT DO NOTHING: the first of a (channel, version) stays. */
function droppedBlobs({ changed, counter }: StoryRow, stored: Set<string>): readonly number[] {
  const dropped: number[] = [];
  for (const channel of changed) {
    const key = `${channel}:${counter}`;
    if (stored.has(key)) dropped.push(channel);
    stored.add(key);
  }
  return dropped;
}
