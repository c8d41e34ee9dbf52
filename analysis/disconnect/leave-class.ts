/**
 * What became of a run whose client left? Judged when all is quiet, from three numbers that different witnesses give:
 * what the effect log holds, what the rows commit, and what the client had been told. Easy to get wrong: a run may stop
 * and still do one thing more that no row shows.
 */

/** `zombie`: an effect landed that no row commits. `half-completed`: it went on for nobody and stopped on the way. */
export const leaveClasses = ['stopped', 'completed', 'half-completed', 'zombie'] as const;
/** One of {@link leaveClasses}. */
export type LeaveClass = (typeof leaveClasses)[number];

/** A thread of one run, when all is quiet. */
export interface LeftThread {
  /** Whether the head has nothing left to run. */
  readonly isTerminal: boolean;
  /** Executions in the effect log. */
  readonly logged: number;
  /** Executions on the edges of the tree. */
  readonly committed: number;
  /** Executions that the client was told of before it left. */
  readonly told: number;
}

/** The class of a thread. */
export function leaveClass({ isTerminal, logged, committed, told }: LeftThread): LeaveClass {
  if (logged > committed) return 'zombie';
  if (isTerminal) return 'completed';
  return committed > told ? 'half-completed' : 'stopped';
}
