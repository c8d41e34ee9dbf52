/**
 * Forks as findings, declared and undeclared. An undetermined fork is a warning and leaves the thread undecided: a
 * race may be behind it, and rows alone cannot tell.
 */
import type { Finding, Undecided } from '#analysis/model/finding.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found } from './found.ts';

/** Reports every fork of every namespace. */
export function detectForks(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  const undecided: Undecided[] = [];
  for (const { account, forks } of facts.namespaces) {
    for (const { fork } of forks) {
      const where = fork.parent === null ? 'the empty thread' : fork.parent;
      const details = {
        parent: fork.parent,
        children: fork.children,
        class: fork.class,
        verdict: fork.verdict,
      };
      findings.push(
        found(facts, fork.declared ? 'declared-fork' : 'undeclared-fork', {
          namespace: account.namespace,
          because: `${where} has ${fork.children.length} children: ${fork.because}`,
          witness: [...(fork.parent === null ? [] : [fork.parent]), ...fork.children],
          details,
          ...(fork.verdict === 'undetermined' ? { severity: 'warning' as const } : {}),
        }),
      );
      if (fork.verdict === 'undetermined') {
        undecided.push({ question: `whether the fork at ${where} is a race`, reason: fork.because });
      }
    }
  }
  return { findings, undecided };
}
