/** For tests: small checkpoints as lines of the neutral row format. */
import { neutralLine } from '#src/dump/neutral-rows.ts';

/** One checkpoint; `seen` is its `versions_seen`, a negative `step` makes it an input. */
export function checkpointLine(
  thread: string,
  id: string,
  parent: string | null,
  seen: object,
  step: number,
): string {
  const checkpoint = {
    v: 4,
    id,
    ts: '2026-11-30T21:37:06Z',
    channel_versions: { 'branch:to:x': 1 },
    versions_seen: seen,
  };
  const metadata = { source: step < 0 ? 'input' : 'loop', step, parents: {} };
  return neutralLine({
    table: 'checkpoints',
    thread_id: thread,
    checkpoint_ns: '',
    checkpoint_id: id,
    parent_checkpoint_id: parent,
    checkpoint: JSON.stringify(checkpoint),
    metadata: JSON.stringify(metadata),
  });
}
