import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import type { AnalysisOptions, ThreadEvidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import { defaultLimits, type LedgerRun } from '../model/ledger.ts';
import type { ThreadReport } from '../model/report.ts';
import type { NodeName, RunToken } from '../model/identifiers.ts';
import type { Json } from '../model/checkpoint.ts';
import { epochMs } from '../simulation/identities.ts';
import { emptyThread, ledgerRun, ledgerThread, threadAfter } from '../simulation/ledger-thread.ts';
import { clockToleranceMs } from './ledger-traces.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Moves after which a thread has its input row alone, and rows of two steps with a node due. */
const inputOnly = 2;
const planDue = 5;

function judged(
  evidence: ThreadEvidence,
  runs: readonly LedgerRun[],
  afterMs: number,
  options: Partial<AnalysisOptions> = {},
): ThreadReport {
  const ledger = { runs, oldestMs: runs[0]?.createdMs ?? null };
  return analyseThread({ ...evidence, ledger }, { rules: [], nowMs: epochMs + afterMs, ...options });
}

const classes = ({ ledger }: ThreadReport): Readonly<Record<string, number>> =>
  Object.fromEntries(ledger ?? []);
const kindsOf = ({ findings }: ThreadReport): readonly string[] => findings.map(({ kind }) => kind);
const only = ({ findings }: ThreadReport): Finding => {
  const [finding, ...others] = findings;
  if (finding === undefined || others.length > 0) throw new Error(`${findings.length} findings`);
  return finding;
};

describe('a run that no checkpoint shows', () => {
  test('has vanished from the threshold on, and is waited for up to it', () => {
    const run = ledgerRun({});
    const just = judged(emptyThread, [run], defaultLimits.vanishAfterMs);
    expect(only(just)).toMatchObject({
      kind: 'vanished-run',
      severity: 'error',
      witness: ['run-0'],
      because:
        'run run-0 was accepted 60s before 2027-01-15T08:01:00.000Z, and no checkpoint or effect of its thread can be its own',
      details: { status: 'running', createdMs: epochMs },
    });
    expect(just).toMatchObject({ verdict: 'invalid', status: 'no-rows', namespaces: [] });
    const before = judged(emptyThread, [run], defaultLimits.vanishAfterMs - 1);
    expect(before.findings).toEqual([]);
    expect(classes(before)).toEqual({ waiting: 1 });
    const limits = { ...defaultLimits, vanishAfterMs: 2 * hour };
    expect(classes(judged(emptyThread, [run], hour, { limits }))).toEqual({ waiting: 1 });
  });

  test('is alive while its worker is heard of, and lost once the heartbeat is as old as the threshold', () => {
    const run = ledgerRun({ heartbeatMs: epochMs + hour });
    expect(classes(judged(emptyThread, [run], hour + minute - 1))).toEqual({ moving: 1 });
    expect(classes(judged(emptyThread, [run], hour + minute))).toEqual({ vanished: 1 });
  });

  test('has vanished from a thread whose rows are all older than it, and not where one can be its own', () => {
    const accepted = (createdMs: number) => [ledgerRun({ run: 'late', createdMs })];
    const rows = threadAfter([null]);
    const newestMs = epochMs + 10;
    expect(rows.rows.checkpoints.at(-1)?.timestamp).toBe(new Date(newestMs).toISOString());
    const beyond = newestMs + clockToleranceMs + 1;
    expect(kindsOf(judged(rows, accepted(beyond), hour))).toEqual(['vanished-run', 'unledgered-run']);
    expect(kindsOf(judged(rows, accepted(beyond - 1), hour))).not.toContain('vanished-run');
  });

  test('is undetermined, never vanished, in a thread with other checkpoints of its time and no run ids', () => {
    const runs = [ledgerRun({ run: 'a', phase: 'succeeded' }), ledgerRun({ run: 'b' })];
    const report = judged(threadAfter([null]), runs, hour);
    expect(classes(report)).toEqual({ ended: 1, undetermined: 1 });
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('unknown');
    expect(report.undecided).toEqual([
      {
        question: 'what became of a run that the ledger holds open',
        reason:
          'its thread has checkpoints or effects of that time that other runs may have made, and none names its run',
      },
    ]);
  });

  test('has vanished where every checkpoint of its time names another run of the ledger', () => {
    const runs = [ledgerRun({ phase: 'succeeded' }), ledgerRun({ run: 'lost' })];
    expect(kindsOf(judged(threadAfter([null], true), runs, hour))).toEqual(['vanished-run']);
  });

  test('is not excluded by run ids that no run of the ledger has', () => {
    const report = judged(threadAfter([null], true), [ledgerRun({ run: 'job 7' })], hour);
    expect(classes(report)).toEqual({ ghost: 1 });
  });

  test('is found by the run_id that Python stores in metadata', () => {
    const { rows } = threadAfter([null]);
    const metadata = new Map<string, Json>([['run_id', 'run-0']]);
    const evidence = {
      ...emptyThread,
      rows: { ...rows, checkpoints: rows.checkpoints.map((row) => ({ ...row, metadata })) },
    };
    const report = judged(evidence, [ledgerRun({}), ledgerRun({ run: 'lost' })], hour);
    expect(classes(report)).toEqual({ ghost: 1, vanished: 1 });
  });

  test('has not vanished when an effect names it', () => {
    const effect = {
      thread: ledgerThread,
      node: 'charge' as NodeName,
      run: 'run-0' as RunToken,
      ...{ parent: null, task: null, namespace: null, step: null, attempt: null, monotonicMs: null },
      ...{ wallMs: epochMs + 5, worker: null, sequence: null, businessKey: null },
    };
    const log = { effects: [effect], table: null, health: null };
    expect(classes(judged({ ...emptyThread, log }, [ledgerRun({})], minute))).toEqual({ moving: 1 });
  });

  test('is undetermined where rows could not be read, and where nothing tells its age', () => {
    const damaged = { ...emptyThread, rows: { ...emptyThread.rows, damagedRows: 1 } };
    expect(classes(judged(damaged, [ledgerRun({})], hour))).toEqual({ undetermined: 1 });
    expect(classes(judged(emptyThread, [ledgerRun({ createdMs: null })], hour))).toEqual({ undetermined: 1 });
    expect(classes(judged(emptyThread, [ledgerRun({})], hour, { nowMs: null }))).toEqual({ undetermined: 1 });
    expect(classes(judged(emptyThread, [ledgerRun({ phase: 'unknown' })], hour))).toEqual({
      undetermined: 1,
    });
  });

  test('is given the long threshold where it may resume a thread that stopped between two steps', () => {
    const run = ledgerRun({ run: 'again', createdMs: epochMs + minute });
    const rows = threadAfter([planDue]);
    expect(classes(judged(rows, [run], minute + defaultLimits.stallAfterMs - 1))).toEqual({ waiting: 1 });
    expect(classes(judged(rows, [run], minute + defaultLimits.stallAfterMs))).toEqual({ vanished: 1 });
  });

  test('is undetermined where it may have been at work without a checkpoint of its time', () => {
    const run = ledgerRun({ run: 'again', phase: 'unsaid', createdMs: epochMs + minute });
    const reasonOf = (evidence: ThreadEvidence) => judged(evidence, [run], 2 * hour).undecided.at(-1)?.reason;
    const withWrites = 7;
    expect(reasonOf(threadAfter([withWrites]))).toBe(
      'writes under the head of its thread may be its own, and they carry no time',
    );
    const { rows } = threadAfter([null]);
    const [, ...later] = rows.checkpoints;
    const atEnd = later.map((row) => (row === later[0] ? { ...row, parent: null } : row));
    expect(reasonOf({ ...emptyThread, rows: { ...rows, checkpoints: atEnd } })).toBe(
      'its thread has checkpoints that several steps share, as a run stores them when it ends',
    );
    const stray = {
      ...emptyThread,
      rows: { ...emptyThread.rows, writes: threadAfter([withWrites]).rows.writes },
    };
    expect(judged(stray, [run], 2 * hour).undecided.map(({ reason }) => reason)).toContain(
      'its thread has stored writes without a checkpoint',
    );
  });

  test('waits for its turn behind a run that is open, and not behind one that ended', () => {
    const next = ledgerRun({ run: 'next', phase: 'waiting', createdMs: epochMs + minute });
    const rows = threadAfter([planDue], true);
    expect(classes(judged(rows, [ledgerRun({}), next], 10 * minute))).toEqual({ moving: 1, waiting: 1 });
    expect(classes(judged(rows, [ledgerRun({ phase: 'failed' }), next], hour))).toEqual({
      ended: 1,
      vanished: 1,
    });
  });

  test('is a warning when the ledger says that it succeeded and the thread has no checkpoint at all', () => {
    const run = ledgerRun({ phase: 'succeeded' });
    expect(only(judged(emptyThread, [run], hour))).toMatchObject({
      kind: 'vanished-run',
      severity: 'warning',
    });
    expect(classes(judged(emptyThread, [ledgerRun({ phase: 'cancelled' })], hour))).toEqual({ ended: 1 });
  });
});

describe('a run that checkpoints show', () => {
  test('is stalled from the threshold on, counted from the newest sign of thread and worker', () => {
    const rows = threadAfter([planDue]);
    const newest = 5;
    const stall = (run: LedgerRun, afterMs: number) => judged(rows, [run], afterMs);
    const just = stall(ledgerRun({}), newest + defaultLimits.stallAfterMs);
    expect(only(just)).toMatchObject({
      kind: 'stalled-run',
      severity: 'warning',
      because:
        'run run-0 is running in the ledger, and neither its worker nor its thread has given a sign for 15m up to 2027-01-15T08:15:00.005Z',
      witness: ['run-0', rows.rows.checkpoints.at(-1)?.id],
    });
    expect(classes(stall(ledgerRun({}), newest + defaultLimits.stallAfterMs - 1))).toEqual({ moving: 1 });
    const beating = ledgerRun({ heartbeatMs: epochMs + hour });
    expect(classes(stall(beating, hour + defaultLimits.stallAfterMs - 1))).toEqual({ moving: 1 });
    expect(classes(stall(beating, hour + defaultLimits.stallAfterMs))).toEqual({ stalled: 1 });
  });

  test('is a ghost where the thread is terminal', () => {
    const report = judged(threadAfter([null]), [ledgerRun({ status: 'IN_PROGRESS' })], 10 * minute);
    expect(report.status).toBe('terminal');
    expect(only(report)).toMatchObject({
      kind: 'ghost-run',
      severity: 'warning',
      because: 'run run-0 is IN_PROGRESS in the ledger, and its thread is terminal, its newest row 9m old',
    });
  });

  test('is in order while a lease holds the thread, and not once that has expired', () => {
    const evidence = { ...threadAfter([planDue]), lease: { expiresMs: epochMs + 2 * hour } };
    expect(classes(judged(evidence, [ledgerRun({})], 2 * hour - 1))).toEqual({ held: 1 });
    expect(classes(judged(evidence, [ledgerRun({})], 2 * hour))).toEqual({ stalled: 1 });
  });

  test('is merely shown where the ledger has no status', () => {
    expect(classes(judged(threadAfter([null]), [ledgerRun({ phase: 'unsaid' })], hour))).toEqual({
      shown: 1,
    });
  });
});

describe('a run that is begun again and again', () => {
  test('is poison from the cap on, unless it succeeded', () => {
    const cap = defaultLimits.attemptCap;
    const of = (attempts: number, phase: LedgerRun['phase']) =>
      judged(threadAfter([inputOnly]), [ledgerRun({ attempts, phase })], minute);
    expect(only(of(cap, 'failed'))).toMatchObject({
      kind: 'poison',
      severity: 'warning',
      because: 'run run-0 was begun 5 times and has not succeeded',
      details: { attempts: 5 },
    });
    expect(kindsOf(of(cap, 'running'))).toEqual(['poison']);
    expect(kindsOf(of(cap - 1, 'failed'))).toEqual([]);
    expect(kindsOf(of(cap, 'succeeded'))).toEqual([]);
  });

  test('is an error when it never got as far as a checkpoint and is still open', () => {
    const run = ledgerRun({ attempts: 5 });
    expect(only(judged(emptyThread, [run], hour))).toMatchObject({ kind: 'poison', severity: 'error' });
  });
});

describe('checkpoints that the ledger does not know', () => {
  test('are counted once a thread, with those from before the ledger', () => {
    const evidence = threadAfter([null]);
    const ledger = { runs: [], oldestMs: epochMs + hour };
    expect(only(analyseThread({ ...evidence, ledger }, { rules: [] }))).toMatchObject({
      kind: 'unledgered-run',
      severity: 'info',
      because:
        'there are 4 checkpoints, and the ledger knows no run of this thread; 4 from before the oldest run of the ledger',
      details: { checkpoints: 4, runs: [], olderThanLedger: 4 },
    });
  });

  test('are those of runs named in rows of a thread whose other runs the ledger names alike', () => {
    const evidence = threadAfter([null, null], true);
    const report = judged(evidence, [ledgerRun({ phase: 'succeeded' })], hour);
    expect(only(report)).toMatchObject({ witness: ['run-1'], details: { checkpoints: 4, runs: ['run-1'] } });
  });

  test('are none where a run of the ledger can have made every one', () => {
    expect(judged(threadAfter([null]), [ledgerRun({ phase: 'succeeded' })], hour).findings).toEqual([]);
  });
});

test('says nothing of a ledger where there is none', () => {
  const report = analyseThread(threadAfter([planDue]), { rules: [], nowMs: epochMs + hour });
  expect(report.ledger).toBeUndefined();
  expect(report.findings).toEqual([]);
});
