/**
 * One record of a foreign log as an effect, by a mapping. Easy to get wrong: what is empty is not said, but an empty
 * namespace is the root graph's.
 */
import type { Effect } from '#analysis/model/effect.ts';
import type {
  CheckpointId,
  Namespace,
  NodeName,
  RunToken,
  TaskId,
  ThreadId,
} from '#analysis/model/identifiers.ts';
import { effectsMapOption, type EffectKey, type EffectsMap } from './effects-map.ts';
import type { LogRecord } from './log-records.ts';
import { MappedFields } from './mapped-fields.ts';

/** Decodes a record. *Fails* with OperatorError that names file, line and field, and never quotes the value. */
export function mappedEffect(record: LogRecord, map: EffectsMap): Effect {
  const read = new MappedFields(record, map, { what: 'effect', option: effectsMapOption });
  return {
    thread: read.needed('thread', 'empty or not') as ThreadId,
    node: read.needed('node', 'not empty') as NodeName,
    run: read.text('run') as RunToken | null,
    parent: read.text('checkpoint') as CheckpointId | null,
    task: read.text('task') as TaskId | null,
    namespace: namespaceOf(read),
    step: read.number('step'),
    attempt: read.number('attempt'),
    wallMs: read.time('time'),
    monotonicMs: read.number('monotonic'),
    worker: read.text('worker'),
    sequence: read.number('sequence'),
    businessKey: read.text('key'),
  };
}

function namespaceOf(read: MappedFields<EffectKey>): Namespace | null {
  if (read.names('namespace')) {
    return (read.isBlank('namespace') ? '' : read.text('namespace')) as Namespace | null;
  }
  const task = read.text('taskNamespace');
  if (task === null) return null;
  // The last segment is the task's own.
  const cut = task.lastIndexOf('|');
  return (cut < 0 ? '' : task.slice(0, cut)) as Namespace;
}
