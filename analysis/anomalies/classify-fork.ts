/**
 * Race, deliberate or undetermined: what made a fork, and how that is known. Updates, copies and replays explain
 * themselves; between the children that are left, overlap in time decides. Easy to get wrong: a plain run always
 * loads the head, so a second child of a row that is no longer the head was asked for by its id, or its run began
 * before the first child had landed; only when that can be told apart is anything claimed.
 */
import type { ForkClass } from '#analysis/model/finding.ts';
import type { RunToken } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { Fork, ForkVerdict } from '#analysis/model/report.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import type { SiblingSet } from '#analysis/lineage/siblings.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import { forkChildren, type ForkChild } from './fork-children.ts';
import { overlap, recordedSpan, workSpan, type EffectTimes, type Span } from './fork-runs.ts';
import { startUncertaintyMs } from './start-uncertainty.ts';

/** What forks of one thread are judged by. */
export interface ForkEvidence {
  readonly runs: ReadonlyMap<RunToken, RunRecord>;
  readonly effects: EffectTimes;
}

/** Judges one fork. */
export function classifyFork(account: NamespaceAccount, set: SiblingSet, evidence: ForkEvidence): Fork {
  const children = forkChildren(account, set);
  const racing = children.filter((child) => child.origin !== 'explained');
  const base = { parent: set.parent, children: children.map((child) => child.row.id) };
  if (racing.length < 2) {
    const because = `${explanations(children)} made the further ${children.length > 2 ? 'children' : 'child'}`;
    return { ...base, declared: true, class: null, verdict: 'deliberate', because };
  }
  const { verdict, because } = judge(account, set, racing, evidence);
  if (verdict === 'deliberate') return { ...base, declared: true, class: null, verdict, because };
  return { ...base, declared: false, class: forkClass(set, racing), verdict, because };
}

function explanations(children: readonly ForkChild[]): string {
  const words = new Set<string>();
  for (const { row, origin } of children) {
    if (origin !== 'explained') continue;
    words.add(
      row.source === 'update'
        ? 'an update'
        : row.source === 'fork'
          ? 'a copy or replay'
          : 'a row of another kind',
    );
  }
  return [...words].join(' and ');
}

/** The class by the origins of the children that nothing explains. Source: langgraph-format §10.1. */
function forkClass(set: SiblingSet, racing: readonly ForkChild[]): ForkClass {
  if (set.parent === null) return 'two-roots';
  const inputs = racing.filter((child) => child.origin === 'input').length;
  if (inputs >= 2) return 'double-input';
  if (inputs === 1) return 'input-during-run';
  return racing.every((child) => child.origin === 'resumed') ? 'double-resume' : 'late-worker';
}

interface Judgement {
  readonly verdict: ForkVerdict;
  readonly because: string;
}

function judge(
  account: NamespaceAccount,
  set: SiblingSet,
  racing: readonly ForkChild[],
  evidence: ForkEvidence,
): Judgement {
  let open: string | null = null;
  let apart = '';
  for (let at = 0; at < racing.length; at++) {
    for (let next = at + 1; next < racing.length; next++) {
      const [a, b] = [racing[at], racing[next]];
      if (a === undefined || b === undefined) continue;
      const judged = judgePair(account, set, a, b, evidence);
      if (judged.verdict === 'race') return judged;
      if (judged.verdict === 'undetermined') open = judged.because;
      else apart = judged.because;
      // A star of thousands needs no thousands of millions of pairs: neighbours in time decide the rest.
      if (racing.length > pairwiseLimit) break;
    }
  }
  return open === null
    ? { verdict: 'deliberate', because: apart }
    : { verdict: 'undetermined', because: open };
}

/** Above this many racing children only neighbours by id are compared. */
const pairwiseLimit = 64;

function judgePair(
  account: NamespaceAccount,
  set: SiblingSet,
  a: ForkChild,
  b: ForkChild,
  evidence: ForkEvidence,
): Judgement {
  const recorded = [
    recordedSpan(account, a.index, evidence.runs),
    recordedSpan(account, b.index, evidence.runs),
  ];
  if (recorded[0] && recorded[1]) {
    const [first, second] = recorded;
    return overlap(first, second)
      ? {
          verdict: 'race',
          because: `runs ${runsOf(a, b)} overlapped: ${spanText(first)} and ${spanText(second)}`,
        }
      : { verdict: 'deliberate', because: `runs ${runsOf(a, b)} did not overlap` };
  }
  const spans = [spanOf(account, set, a, evidence), spanOf(account, set, b, evidence)];
  if (!spans[0] || !spans[1]) {
    return { verdict: 'undetermined', because: 'the ids of its children carry no time' };
  }
  const [first, second, later] =
    spans[0].fromMs <= spans[1].fromMs ? [spans[0], spans[1], b] : [spans[1], spans[0], a];
  if (overlap(first, second)) {
    const sharedMs = Math.min(first.toMs, second.toMs) - second.fromMs;
    return {
      verdict: 'race',
      because: `the runs that made ${a.row.id} and ${b.row.id} were both at work for ${sharedMs.toFixed(1)} ms`,
    };
  }
  const gapMs = second.fromMs - first.toMs;
  const neededMs = startUncertaintyMs(account, later, [a, b]);
  const sinceFirstMs = second.fromMs - first.fromMs;
  return gapMs > 0 && sinceFirstMs > neededMs
    ? {
        verdict: 'deliberate',
        because: `${later.row.id} began ${gapMs.toFixed(1)} ms after the run of its sibling had ended, so its parent was asked for by id`,
      }
    : {
        verdict: 'undetermined',
        because: `the rows of its branches are only ${sinceFirstMs.toFixed(1)} ms apart, too short to tell`,
      };
}

/** A late worker was at work since it wrote the parent. */
function spanOf(
  account: NamespaceAccount,
  set: SiblingSet,
  child: ForkChild,
  evidence: ForkEvidence,
): Span | null {
  const span = workSpan(account, child.index, evidence.effects);
  if (span === null || child.origin !== 'late' || set.parentIndex === null) return span;
  const since = idTimeMs(rowAt(account.tree, set.parentIndex).id);
  return since === null ? span : { fromMs: Math.min(span.fromMs, since), toMs: span.toMs };
}

function runsOf(a: ForkChild, b: ForkChild): string {
  return `${a.row.run ?? '?'} and ${b.row.run ?? '?'}`;
}

function spanText({ fromMs, toMs }: Span): string {
  return `${fromMs.toFixed(1)} to ${toMs.toFixed(1)} ms`;
}
