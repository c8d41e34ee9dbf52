/** Makes a finding of a thread; severity and evidence come from the catalogue unless a detector knows better. */
import type { Finding, FindingKind } from '#analysis/model/finding.ts';
import type { Namespace } from '#analysis/model/identifiers.ts';
import { catalogue } from './catalogue.ts';
import type { ThreadFacts } from './facts.ts';

/** What a detector says of one anomaly. */
export interface Claim {
  readonly namespace: Namespace | null;
  readonly because: string;
  readonly witness: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly severity?: Finding['severity'];
  readonly evidence?: Finding['evidence'];
}

/** A finding of `kind` in the thread of `facts`. */
export function found(facts: ThreadFacts, kind: FindingKind, claim: Claim): Finding {
  const { severity, evidence } = catalogue[kind];
  return {
    kind,
    severity: claim.severity ?? severity,
    thread: facts.evidence.rows.thread,
    namespace: claim.namespace,
    because: claim.because,
    evidence: claim.evidence ?? evidence,
    witness: claim.witness,
    details: claim.details ?? {},
  };
}

/** `a`, `a and b`, `a, b and c`; longer lists are cut and counted. */
export function listText(items: readonly string[], most = 6): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : [...items];
  const last = shown.pop() ?? 'none';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
