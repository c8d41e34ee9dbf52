/**
 * One interrupt answered more than once: several runs were resumed at one row that holds answers. Where the thread's
 * stored answer is none that the task consumed, a later one was ignored in favour of the first. Easy to get wrong: two
 * answers alone prove nothing, a task with two interrupts has them too; whether the runs raced is the fork's question.
 * Source: langgraph-format §10.1, §17.12.
 */
import type { WriteRow } from '#analysis/model/checkpoint.ts';
import type { Finding } from '#analysis/model/finding.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { reentered } from '#analysis/rows/re-entry.ts';
import { nullTask } from '#analysis/rows/stores.ts';
import { decodeStored } from '#analysis/serialization/decode-stored.ts';
import { isList, type Decoded } from '#analysis/serialization/decoded.ts';
import { sameValue } from '#analysis/serialization/same-value.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found } from './found.ts';

/** Reports rows with several answers. */
export function detectResumedTwice(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  if (!facts.thread.writes.hasOwn('__resume__')) return { findings, undecided: [] };
  const answered = new Set<string>();
  for (const { channel, checkpoint } of facts.thread.rows.writes ?? []) {
    if (channel === '__resume__') answered.add(checkpoint);
  }
  for (const { account } of facts.namespaces) {
    for (let at = 0; at < account.tree.rows.length; at++) {
      const row = rowAt(account.tree, at);
      if (!answered.has(row.id)) continue;
      const children = stampedChildren(account, at);
      const differ = answersDiffer(facts.thread.writes.at(row.namespace, row.id));
      // A task with two interrupts is answered twice as well, and its second answer is stored the same way.
      if (children.length < 2) continue;
      findings.push(
        found(facts, 'resumed-twice', {
          namespace: account.namespace,
          because: `the interrupt at ${row.id} was answered more than once: ${children.length} runs resumed there${differ ? '; the first answer stays with the task' : ''}`,
          witness: [row.id, ...children],
          details: { runs: children.length, answersDiffer: differ },
        }),
      );
    }
  }
  return { findings, undecided: [] };
}

function stampedChildren(account: NamespaceAccount, at: number): string[] {
  const { tree } = account;
  const parent = rowAt(tree, at);
  return account.forks
    .filter((set) => set.parentIndex === at)
    .flatMap((set) => set.children.map((child) => rowAt(tree, child)))
    .filter((row) => row.source === 'loop' && reentered(parent, row))
    .map((row) => row.id);
}

/**
 * Whether the thread's stored answer is none that a task consumed. Several interrupts of one task are answered one
 * after another, so its list may be longer than one and then holds the newest answer too.
 */
function answersDiffer(writes: readonly WriteRow[]): boolean {
  const answers = writes.filter((write) => write.channel === '__resume__');
  const given = answers.find((write) => write.task === nullTask);
  const [value] = given === undefined ? [] : answersOf(given);
  if (value === undefined) return false;
  const consumed = answers.filter((write) => write.task !== nullTask).map(answersOf);
  return (
    consumed.length > 0 &&
    consumed.every((list) => list.length > 0 && !list.some((answer) => sameValue(answer, value)))
  );
}

/** A task keeps a list of answers, the thread keeps one; none where they cannot be read. */
function answersOf(write: WriteRow): readonly Decoded[] {
  const decoded = decodeStored(write.value);
  if (decoded.kind !== 'value') return [];
  return write.task !== nullTask && isList(decoded.value) ? decoded.value : [decoded.value];
}
