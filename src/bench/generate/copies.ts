/**
 * Which thread a number stands for: a copy of a prototype that was told once, under its own id and moved in time. Easy
 * to get wrong: a copy's ids differ from its prototype's in their time alone, so all orders among them stay.
 */
import { Chance } from '#src/chance.ts';
import { idTime, idTimeLength } from './moments.ts';
import type { DumpSettings } from './settings.ts';
import { tellThread, type Told } from './story.ts';
import type { StoryRow } from './story-row.ts';
import { planThread, plantedClasses, type ThreadPlan } from './thread-plan.ts';

/** A thread told once, at the dump's first moment. */
export interface Prototype {
  readonly plan: ThreadPlan;
  /** In the order of their times; at least one. */
  readonly rows: readonly Told[];
}

/** One thread of a dump. */
export interface ThreadCopy {
  readonly prototype: Prototype;
  readonly thread: string;
  /** Whole milliseconds by which the prototype is moved. */
  readonly shiftMs: number;
}

/** Forked prototypes: a multiple of the number of classes. */
const forkedVariants = 96;

/** All threads of a dump by number. */
export class Copies {
  readonly settings: DumpSettings;
  /** How many threads there are. */
  readonly count: number;
  private readonly plain: readonly Prototype[];
  private readonly forked: readonly Prototype[];
  private readonly spacingMs: number;

  /** *Cost*: tells every variant. `drafts` is the number of prepared values. */
  constructor(settings: DumpSettings, drafts: number) {
    this.settings = settings;
    const told = (plan: ThreadPlan): Prototype => ({ plan, rows: [...tellThread(plan, drafts)] });
    this.plain = Array.from({ length: settings.variants }, (_, variant) =>
      told(planThread(settings, variant, null)),
    );
    this.forked = Array.from({ length: Math.min(forkedVariants, settings.forks) }, (_, variant) =>
      told(planThread(settings, variant, plantedClasses[variant % plantedClasses.length] ?? null)),
    );
    const { checkpoints, forks } = settings;
    const left = Math.max(0, checkpoints - forks * meanRows(this.forked));
    this.count = forks + Math.round(left / meanRows(this.plain));
    this.spacingMs = meanLifeMs(this.plain) / settings.liveThreads;
  }

  /** Before this moment the thread with that number writes nothing. */
  earliestMs(number: number): number {
    return Math.floor(number * this.spacingMs);
  }

  /** The thread with that number, from 0 to {@link count} - 1. */
  at(number: number): ThreadCopy {
    const chance = new Chance(this.settings.seed, number);
    const thread = threadId(chance);
    const shiftMs = this.earliestMs(number) + Math.floor(chance.unit() * this.spacingMs);
    const before = Math.floor((number * this.settings.forks) / this.count);
    const isForked = Math.floor(((number + 1) * this.settings.forks) / this.count) > before;
    const shelf = isForked ? this.forked : this.plain;
    const prototype = shelf[isForked ? before % shelf.length : chance.between(0, shelf.length)];
    if (prototype === undefined)
      throw new RangeError(`a dump of ${this.count} threads has none numbered ${number}`);
    return { prototype, thread, shiftMs };
  }
}

/** The id that a prototype's row has in a copy. */
export function copiedId({ prototype, shiftMs }: ThreadCopy, { id, timeMs }: StoryRow): string {
  return idTime(prototype.plan.language, timeMs + shiftMs) + id.slice(idTimeLength);
}

function meanRows(prototypes: readonly Prototype[]): number {
  if (prototypes.length === 0) return 0;
  return prototypes.reduce((sum, { rows }) => sum + rows.length, 0) / prototypes.length;
}

function meanLifeMs(prototypes: readonly Prototype[]): number {
  return prototypes.reduce((sum, { rows }) => sum + (rows.at(-1)?.row.timeMs ?? 0), 0) / prototypes.length;
}

/** A version-4 UUID, as services name threads. */
function threadId(chance: Chance): string {
  const hex = chance.hex8() + chance.hex8() + chance.hex8() + chance.hex8();
  const variant = (8 + (chance.bits() & 3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
