/**
 * Identifiers with a virtual clock: checkpoint ids are version-6 UUIDs as JS makes them (the step as clock sequence,
 * `ffff` for -1), task ids are a plain function of what LangGraph derives them from, so racing runs compute the same.
 */
import type { CheckpointId, NodeName, TaskId } from '#analysis/model/identifiers.ts';

/** Unix milliseconds at which every simulation's clock starts. */
export const epochMs = 1_800_000_000_000;

/** The id of a checkpoint made at a virtual time; `serial` keeps ids of one millisecond apart. */
export function checkpointId(timeMs: number, step: number, serial: number): CheckpointId {
  const ticks = BigInt(Math.round((epochMs + timeMs) * 10_000)) + 0x01b21dd213814000n;
  const time = ticks.toString(16).padStart(15, '0');
  const sequence = step < 0 ? 'ffff' : (0x8000 + step).toString(16);
  const node = serial.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}-${sequence}-${node}` as CheckpointId;
}

/** The id of a node's task planned at a checkpoint. */
export function taskId(parent: CheckpointId, node: NodeName): TaskId {
  return `task of ${node} at ${parent}` as TaskId;
}
