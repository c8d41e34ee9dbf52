/**
 * A source of rows joined with a ledger of runs and a list of threads that are held: each thread gets what they say of
 * it, and threads that only the ledger knows come last. Easy to get wrong: a ledger names no schema, so a thread id that
 * two schemas hold cannot be given its runs.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { inTwoSchemas } from './in-two-schemas.ts';
import type { Ledgers } from './ledgers.ts';
import type { Source, SourceFilter } from './source.ts';

/** The same source with what is known beside its rows. */
export function withLedger(source: Source, ledgers: Ledgers, { threads }: SourceFilter): Source {
  const { asOf, questions } = ledgers;
  const { limits, breakpoints, minAgeMs } = questions;
  return {
    ...source,
    options: {
      ...source.options,
      nowMs: asOf?.ms ?? null,
      limits,
      ...(breakpoints === null ? {} : { breakpoints }),
      ...(minAgeMs === null ? {} : { minAgeMs }),
    },
    ledgers,
    threads: () => joined(source, ledgers, threads),
  };
}

/** What ledger and list say of one thread. */
export function beside(
  { ledger, active }: Ledgers,
  thread: ThreadId,
): Pick<ThreadEvidence, 'ledger' | 'lease'> {
  return {
    ...(ledger === null
      ? {}
      : { ledger: { runs: ledger.byThread.get(thread) ?? [], oldestMs: ledger.oldestMs } }),
    ...(active === null ? {} : { lease: active.leases.get(thread) ?? null }),
  };
}

async function* joined(
  source: Source,
  ledgers: Ledgers,
  wanted: ReadonlySet<string> | null,
): AsyncGenerator<ThreadEvidence> {
  const { ledger } = ledgers;
  const seen = new Set<ThreadId>();
  for await (const evidence of source.threads()) {
    const { thread } = evidence.rows;
    if (ledger?.byThread.has(thread) === true) {
      if (seen.has(thread)) throw inTwoSchemas(thread, ledger.name, 'ledger', 'runs');
      seen.add(thread);
    }
    yield { ...evidence, ...beside(ledgers, thread) };
  }
  for (const thread of ledger?.byThread.keys() ?? []) {
    if (seen.has(thread) || source.elsewhere.has(thread) || wanted?.has(thread) === false) continue;
    const rows = { thread, schema: null, checkpoints: [], blobs: [], writes: [] };
    yield { rows, log: null, runs: null, ...beside(ledgers, thread) };
  }
}
