/**
 * A simulated thread with a ledger beside it, for tests. Easy to get wrong: the simulation's own run tokens would name
 * every row's run, which rows of most savers do not; here they are taken off unless they are asked for.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName, RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { LedgerRun } from '#analysis/model/ledger.ts';
import { epochMs } from './identities.ts';
import { simulate } from './simulate.ts';

/** The simulated thread's id. */
export const ledgerThread = 'simulated' as ThreadId;

/**
 * The evidence of runs one after the other, each cancelled after so many moves (null: played to its end), without log
 * and recorded runs. `named`: the rows name their runs, `run-0`, `run-1` …
 */
export function threadAfter(moves: readonly (number | null)[], named = false): ThreadEvidence {
  const { evidence } = simulate({
    thread: ledgerThread,
    nodes: ['plan', 'charge'] as NodeName[],
    runs: moves.map((cancelAfter, index) => ({
      run: `run-${index}` as RunToken,
      worker: 'w1',
      begins: 'input',
      cancelAfter,
      zombie: false,
    })),
    schedule: [],
    minting: 'counted',
  });
  const checkpoints = evidence.rows.checkpoints.map((row) => ({ ...row, run: named ? row.run : null }));
  return { rows: { ...evidence.rows, checkpoints }, log: null, runs: null };
}

/** The evidence of a thread that nobody has written to. */
export const emptyThread: ThreadEvidence = {
  rows: { thread: ledgerThread, schema: null, checkpoints: [], blobs: [], writes: [] },
  log: null,
  runs: null,
};

/** A run as a ledger has it: accepted at the simulation's start, running, of no known heartbeat. */
export function ledgerRun(fields: Partial<LedgerRun>): LedgerRun {
  return {
    run: 'run-0',
    thread: ledgerThread,
    phase: 'running',
    status: fields.phase ?? 'running',
    createdMs: epochMs,
    heartbeatMs: null,
    attempts: null,
    ...fields,
  };
}
