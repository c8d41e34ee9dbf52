/**
 * Why a thread travels to the analysis, and how each kind of finding is covered by that. A census finds no finding: it
 * proves threads ordinary, and whatever it cannot prove travels whole. Easy to get wrong: a mark is a suspicion; a
 * paused or failed thread has one and may be in perfect order.
 */
import type { FindingKind } from '#analysis/model/finding.ts';

/** What a mark says, for people. */
export const marks = {
  lineage:
    'its rows are not one chain of single steps from a first input: a fork, two roots, an absent parent, a child that sorts before its parent, or steps that share a row',
  'head-writes': 'a task finished at the head or after it, and no row commits it',
  'dropped-writes': 'a task stored something at a row that only an input, an update or a copy follows',
  'telling-writes': 'it stored a failure, a Send list, or the result of a functional call',
  'send-list': 'it has a Send list, which only the analysis can read',
  'no-checkpoints': 'it has stored values or writes and no checkpoint',
  'no-history': 'its saver keeps one checkpoint and no history',
  'missing-table': 'a table is missing that would show whether it is ordinary',
} as const;

/** One reason to travel. */
export type Mark = keyof typeof marks;

/** Whether a text is one. */
export function isMark(text: string): text is Mark {
  return Object.hasOwn(marks, text);
}

/**
 * How a census covers a kind of finding. `marks`: every thread that could have one carries one of these; `partly`:
 * threads whose only finding is of this kind may stay, as `because` says (the kind is information, never a warning);
 * `elsewhere`: the kind needs a log, a ledger or a provider's account, with which a census is not combined.
 */
export type Coverage =
  | { readonly kind: 'marks'; readonly by: readonly [Mark, ...Mark[]] }
  | { readonly kind: 'partly'; readonly by: readonly [Mark, ...Mark[]]; readonly because: string }
  | { readonly kind: 'elsewhere' };

const byLineage = { kind: 'marks', by: ['lineage'] } as const;
const elsewhere = { kind: 'elsewhere' } as const;

/** Every kind's coverage. Forks and what follows from them need more than one branch, which is no chain. */
export const coverage: Readonly<Record<FindingKind, Coverage>> = {
  'undeclared-fork': byLineage,
  'declared-fork': byLineage,
  'hidden-execution': byLineage,
  'shared-blob': byLineage,
  'orphaned-write': { kind: 'marks', by: ['dropped-writes'] },
  'pending-write': { kind: 'marks', by: ['head-writes'] },
  'phantom-write': { kind: 'marks', by: ['telling-writes'] },
  'dangling-parent': byLineage,
  'stray-write': {
    kind: 'partly',
    by: ['head-writes', 'no-checkpoints'],
    because: 'writes under an absent row that lies between two others look like any others',
  },
  'inverted-order': byLineage,
  'resumed-twice': byLineage,
  'delta-mixed': byLineage,
  'abandoned-thread': { kind: 'marks', by: ['head-writes'] },
  'duplicated-effect': elsewhere,
  'unrecorded-effect': elsewhere,
  'unlogged-execution': elsewhere,
  'zombie-effect': elsewhere,
  'count-violation': elsewhere,
  'mid-graph-start': elsewhere,
  'vanished-run': elsewhere,
  'stalled-run': elsewhere,
  'ghost-run': elsewhere,
  poison: elsewhere,
  'unledgered-run': elsewhere,
  'repeated-charge': elsewhere,
  'unknown-charge': elsewhere,
  'missing-charge': elsewhere,
};
