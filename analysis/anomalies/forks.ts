/**
 * Forks as findings, declared and undeclared. An undetermined fork is a warning and leaves the thread undecided: a
 * race may be behind it, and rows alone cannot tell.
 */
import type { Finding, Undecided } from '#analysis/model/finding.ts';
import type { CheckpointId, Namespace } from '#analysis/model/identifiers.ts';
import type { Fork } from '#analysis/model/report.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { causeAbove } from './fork-causes.ts';
import { found } from './found.ts';

/**
 * Reports every fork of every namespace. A race of the parent graph makes both runs write into one subgraph
 * namespace, so the fork that shows there is the same one, seen at a second place: it is reported once, with both.
 */
export function detectForks(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  const undecided: Undecided[] = [];
  for (const { account, forks } of facts.namespaces) {
    for (const { fork, set } of forks) {
      if (causeAbove(facts.namespaces, account, set) !== null) continue;
      const where = fork.parent === null ? 'the empty thread' : fork.parent;
      const also = echoes(facts, account.namespace, fork);
      findings.push(
        found(facts, fork.declared ? 'declared-fork' : 'undeclared-fork', {
          namespace: account.namespace,
          because: `${where} has ${fork.children.length} children: ${fork.because}${also.length > 0 ? `; it shows in ${also.map((echo) => echo.namespace).join(', ')} too` : ''}`,
          witness: [...(fork.parent === null ? [] : [fork.parent]), ...fork.children],
          details: {
            parent: fork.parent,
            children: fork.children,
            class: fork.class,
            verdict: fork.verdict,
            alsoIn: also,
          },
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

interface Echo {
  readonly namespace: Namespace;
  readonly parent: CheckpointId | null;
  readonly children: readonly CheckpointId[];
}

/** Forks of subgraph namespaces that one fork explains. */
function echoes(facts: ThreadFacts, namespace: Namespace, fork: Fork): Echo[] {
  if (facts.namespaces.length === 1) return [];
  return facts.namespaces.flatMap(({ account, forks }) =>
    account.namespace === namespace
      ? []
      : forks
          .filter(({ set }) => causeAbove(facts.namespaces, account, set)?.fork === fork)
          .map((echo) => ({
            namespace: account.namespace,
            parent: echo.fork.parent,
            children: echo.fork.children,
          })),
  );
}
