/**
 * What each kind of finding means, as data: help texts, reports and documentation read it from here, so that a
 * definition exists once. A severity here is the kind's usual one; a detector may lower or raise it by what made it.
 */
import type { Evidence, FindingKind, Severity } from '#analysis/model/finding.ts';

/** The entry of one kind. */
export interface CatalogueEntry {
  readonly title: string;
  readonly severity: Severity;
  /** When the severity differs from the usual one; null when it never does. */
  readonly otherwise: string | null;
  readonly definition: string;
  /** The instruments needed at least. */
  readonly evidence: Evidence;
  /** Where the behaviour behind it is written down. */
  readonly source: string;
}

/** Every kind's entry. */
export const catalogue: Readonly<Record<FindingKind, CatalogueEntry>> = {
  'undeclared-fork': {
    title: 'Undeclared fork',
    severity: 'error',
    otherwise: 'warning while undetermined: rows cannot tell a race from a deliberate branch',
    definition:
      'at least two rows with one parent (NULL counts) that no update, copy, replay or sequential input explains',
    evidence: 'rows',
    source: 'LangGraph loads the head and locks nothing: JS pregel/loop.js, Python pregel/_loop.py',
  },
  'declared-fork': {
    title: 'Declared fork',
    severity: 'info',
    otherwise: null,
    definition: 'siblings explained by an update, a copy, a replay, or an input at an older checkpoint',
    evidence: 'rows',
    source: 'updateState, getStateHistory and checkpoint_id in LangGraph’s own interface',
  },
  'hidden-execution': {
    title: 'Hidden execution',
    severity: 'error',
    otherwise: 'info under a declared fork, warning under an undetermined one',
    definition: 'a node ran and was committed on a branch that the head of the thread does not show',
    evidence: 'rows',
    source:
      'the head is the greatest checkpoint id over all branches: checkpoint-postgres, ORDER BY checkpoint_id DESC',
  },
  'shared-blob': {
    title: 'Shared blob',
    severity: 'error',
    otherwise: 'warning where no race made the fork',
    definition:
      'two branches minted one (channel, version); one blob was kept, so one of them reads back the value of the other',
    evidence: 'rows+blobs',
    source:
      'getNextVersion and INSERT … ON CONFLICT DO NOTHING in the JS Postgres saver; langgraphjs issue 1812',
  },
  'orphaned-write': {
    title: 'Orphaned write',
    severity: 'warning',
    otherwise: null,
    definition:
      'a task finished and stored its writes, its superstep never committed, and a later input dropped them',
    evidence: 'rows+writes',
    source: 'new input discards pending tasks: JS pregel/loop.js 916-921, Python _loop.py 977-1033',
  },
  'pending-write': {
    title: 'Pending write',
    severity: 'info',
    otherwise: null,
    definition: 'a task finished and stored its writes; its superstep is not committed but still can be',
    evidence: 'rows+writes',
    source: 'JS pregel/loop.js putWrites, Python _loop.py put_writes',
  },
  'phantom-write': {
    title: 'Phantom write',
    severity: 'warning',
    otherwise: null,
    definition: 'rows say a task is done although it may never have run: no writes, beside a failed sibling',
    evidence: 'rows+writes',
    source: 'JS pregel/runner.js 136: tasks launched after an abort return at once',
  },
  'dangling-parent': {
    title: 'Dangling parent',
    severity: 'info',
    otherwise: null,
    definition: 'a row names a parent that does not exist',
    evidence: 'rows',
    source:
      'pruning, a failed put, an unknown checkpoint_id, or checkpoint_during=False of Python 0.3.27 to 0.4.10',
  },
  'stray-write': {
    title: 'Stray write',
    severity: 'info',
    otherwise: null,
    definition: 'stored writes whose checkpoint row is absent',
    evidence: 'rows+writes',
    source: 'puts and putWrites are unordered under async durability; a Command on an empty thread',
  },
  'inverted-order': {
    title: 'Inverted order',
    severity: 'info',
    otherwise: null,
    definition: 'a child’s id is not greater than its parent’s: clocks of two workers disagree',
    evidence: 'rows',
    source: 'checkpoint ids carry the writer’s wall clock (UUIDv6)',
  },
  'resumed-twice': {
    title: 'Resumed twice',
    severity: 'info',
    otherwise: null,
    definition:
      'one interrupt was answered more than once; later answers may be ignored in favour of the first',
    evidence: 'rows+writes',
    source: 'stored __resume__ rows are first-wins per task: JS pregel/loop.js, Python _loop.py',
  },
  'delta-mixed': {
    title: 'Delta channel mixes branches',
    severity: 'warning',
    otherwise: null,
    definition:
      'a delta channel’s value below a fork is rebuilt from writes of both branches at their common parent',
    evidence: 'rows+writes',
    source: 'DeltaChannel replays checkpoint_writes of all ancestors; Python langgraph 1.2, JS 1.4',
  },
  'abandoned-thread': {
    title: 'Abandoned thread',
    severity: 'warning',
    otherwise: null,
    definition:
      'a superstep has finished and unfinished tasks, and no error or interrupt says why it stopped; or, where --active and --breakpoints tell, something is due, nobody holds the thread, and it is at no breakpoint',
    evidence: 'rows+writes',
    source: 'a killed process, or JS maxConcurrency of 1 (pregel/runner.js 136)',
  },
  'duplicated-effect': {
    title: 'Duplicated effect',
    severity: 'error',
    otherwise: 'info where the provider’s own account shows that it charged once',
    definition: 'one business key has several effects of one node',
    evidence: 'log',
    source: 'nothing in LangGraph makes a node’s side effects happen once',
  },
  'unrecorded-effect': {
    title: 'Unrecorded effect',
    severity: 'error',
    otherwise: null,
    definition: 'an effect happened that no edge, pending write or recorded attempt accounts for',
    evidence: 'rows+log',
    source: 'a run that dies between a node’s effect and the put of its superstep',
  },
  'unlogged-execution': {
    title: 'Unlogged execution',
    severity: 'warning',
    otherwise: null,
    definition: 'an edge shows an execution that the effect log does not hold: the log lost it',
    evidence: 'rows+log',
    source: 'an instrument can lose records; the tree and the log are independent',
  },
  'zombie-effect': {
    title: 'Zombie effect',
    severity: 'warning',
    otherwise: null,
    definition: 'a node body ended after its run was cancelled, and no edge of that run commits it',
    evidence: 'rows+log',
    source: 'an abort rejects the run, not the node’s own function: JS pregel/runner.js 169-172',
  },
  'count-violation': {
    title: 'Count violation',
    severity: 'error',
    otherwise:
      'info when a resume explains it (never a bound by a number), warning when the log lost records or rows cannot tell',
    definition: 'node counts break a rule that must hold for runs that begin with new input',
    evidence: 'rows+log',
    source: 'token flow of the compiled graph, or the user’s own rule',
  },
  'mid-graph-start': {
    title: 'Mid-graph start',
    severity: 'error',
    otherwise: 'info when resumed runs explain it',
    definition: 'the counts need runs that began in the middle of the graph; the least number of them',
    evidence: 'rows+log',
    source: 'token flow of the compiled graph',
  },
  'vanished-run': {
    title: 'Vanished run',
    severity: 'error',
    otherwise: 'warning when the ledger says that it succeeded: its rows may have been pruned since',
    definition:
      'the ledger accepted a run longer ago than --vanish-after, and no checkpoint or effect can be its own',
    evidence: 'rows+ledger',
    source:
      'a run enqueued and lost before its first row; with new input the first row is stored before any node runs: JS pregel/loop.js, Python pregel/_loop.py',
  },
  'stalled-run': {
    title: 'Stalled run',
    severity: 'warning',
    otherwise: null,
    definition:
      'the ledger says running, and for longer than --stall-after neither heartbeat nor thread has moved',
    evidence: 'rows+ledger',
    source: 'a worker that died without giving its run back',
  },
  'ghost-run': {
    title: 'Ghost run',
    severity: 'warning',
    otherwise: null,
    definition: 'the ledger says running, and the thread is terminal',
    evidence: 'rows+ledger',
    source: 'a run finished whose end was never booked',
  },
  poison: {
    title: 'Poison run',
    severity: 'warning',
    otherwise:
      'error while it is open and no checkpoint or effect can be its own: it never got as far as its first row',
    definition: 'a run that has not succeeded was begun as often as --attempt-cap allows',
    evidence: 'ledger',
    source: 'an input that fails or kills every worker that takes it up',
  },
  'unledgered-run': {
    title: 'Unledgered run',
    severity: 'info',
    otherwise: null,
    definition: 'checkpoints of a thread, or of runs named in them, that the ledger does not know',
    evidence: 'rows+ledger',
    source: 'a run started beside the queue, or a ledger that keeps its rows for a shorter time',
  },
  'repeated-charge': {
    title: 'Repeated charge',
    severity: 'error',
    otherwise: null,
    definition: 'the provider’s own account holds several charges for one business key',
    evidence: 'provider',
    source: 'a call that is repeated under another idempotency key, or under none, is another charge',
  },
  'unknown-charge': {
    title: 'Unknown charge',
    severity: 'error',
    otherwise: null,
    definition: 'the provider made a charge, and no run was ever told of it',
    evidence: 'provider+runs',
    source: 'an aborted call, a lost answer or a 5xx says nothing about what the provider did',
  },
  'missing-charge': {
    title: 'Missing charge',
    severity: 'error',
    otherwise: null,
    definition: 'a run was told of a charge that the provider’s own account does not hold',
    evidence: 'provider+runs',
    source: 'the provider’s account is the authority on what was charged',
  },
};
