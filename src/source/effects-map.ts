/**
 * Which field of a log says what: `thread=session_id,node=tool,time=ts`. Easy to get wrong: LangGraph tells a node the
 * namespace of its task, one segment longer than the namespace of the rows, so logs of both kinds exist and each has
 * a key of its own.
 */
import { parseFieldMap, type FieldMap } from './field-map.ts';

/** The option that maps the fields of an effect log. */
export const effectsMapOption = '--effects-map';

/** What a field can say; see {@link effectKeyHelp}. */
export const effectKeys = [
  'thread',
  'node',
  'time',
  'key',
  'task',
  'checkpoint',
  'run',
  'namespace',
  'taskNamespace',
  'step',
  'attempt',
  'worker',
  'sequence',
  'monotonic',
] as const;
/** One of {@link effectKeys}. */
export type EffectKey = (typeof effectKeys)[number];

/** One line for each key that is not plain from its name. */
export const effectKeyHelp: Readonly<Partial<Record<EffectKey, string>>> = {
  time: 'when the effect happened: ISO 8601 (UTC unless it has an offset), Unix seconds or milliseconds',
  key: 'what should happen once, such as a booking id',
  checkpoint: 'the checkpoint the task was planned from',
  namespace: 'checkpoint_ns of the rows, empty at the root',
  taskNamespace: 'checkpoint_ns as the node was told it (node:task id last)',
  sequence: '1, 2, 3 … within one worker',
};

/** Key → field. */
export type EffectsMap = FieldMap<EffectKey>;

/** A mapping and where it came from. */
export interface EffectsMapping {
  /** `given` by the operator, else recognised as `forkscope`'s own log or as one of LangGraph's own field names. */
  readonly origin: 'given' | 'forkscope' | 'langgraph';
  readonly map: EffectsMap;
}

const ownFields: EffectsMap = new Map([
  ['thread', 'thread'],
  ['node', 'node'],
  ['time', 'wall_ms'],
  ['monotonic', 'monotonic_ms'],
  ['key', 'business_key'],
  ['task', 'task_id'],
  ['checkpoint', 'parent_checkpoint_id'],
  ['run', 'run'],
  ['namespace', 'checkpoint_ns'],
  ['step', 'step'],
  ['attempt', 'attempt'],
  ['worker', 'worker'],
  ['sequence', 'seq'],
]);

/** What a node writes that logs what its config tells it. */
const langgraphFields: EffectsMap = new Map([
  ['thread', 'thread'],
  ['node', 'node'],
  ['time', 'ts'],
  ['task', 'task_id'],
  ['checkpoint', 'parent_checkpoint_id'],
  ['run', 'run'],
  ['taskNamespace', 'checkpoint_ns'],
  ['step', 'step'],
  ['attempt', 'attempt'],
  ['worker', 'pid'],
]);

/** The mapping that fits the fields of a log's first record; null when none does. */
export function recognisedMapping(fields: ReadonlySet<string>): EffectsMapping | null {
  const has = (...names: readonly string[]): boolean => names.every((name) => fields.has(name));
  if (has('thread', 'node', 'wall_ms', 'worker', 'seq')) return { origin: 'forkscope', map: ownFields };
  if (has('thread', 'node', 'ts')) return { origin: 'langgraph', map: langgraphFields };
  return null;
}

/** Reads `key=field,key=field`, given once or several times. *Fails* with RangeError whose message says what to write. */
export function parseEffectsMap(texts: readonly string[]): EffectsMap {
  const map = parseFieldMap(effectsMapOption, effectKeys, texts);
  for (const needed of ['thread', 'node'] as const) {
    if (!map.has(needed)) throw new RangeError(`${effectsMapOption} must say which field is the ${needed}.`);
  }
  if (map.has('namespace') && map.has('taskNamespace')) {
    throw new RangeError(`${effectsMapOption} takes namespace= or taskNamespace=, not both.`);
  }
  return map;
}
