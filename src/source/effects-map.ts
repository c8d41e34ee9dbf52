/**
 * Which field of a log says what: `thread=session_id,node=tool,time=ts`. Easy to get wrong: LangGraph tells a node the
 * namespace of its task, one segment longer than the namespace of the rows, so logs of both kinds exist and each has
 * a key of its own.
 */
import { invariant } from '#analysis/model/bug.ts';

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

/** Key → field. A field is a column of CSV, or a key of the line's object; `a.b` also looks inside objects. */
export type EffectsMap = ReadonlyMap<EffectKey, string>;

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
  const map = new Map<EffectKey, string>();
  for (const pair of texts.flatMap((text) => text.split(','))) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    const key = effectKeys.find((known) => known === pair.slice(0, Math.max(equals, 0)).trim());
    const field = pair.slice(equals + 1).trim();
    if (key === undefined || field === '') {
      throw new RangeError(
        `--effects-map: ${JSON.stringify(pair.trim())} is no key=field; the keys are ${effectKeys.join(', ')}.`,
      );
    }
    if (map.has(key)) throw new RangeError(`--effects-map names the key ${key} twice.`);
    map.set(key, field);
  }
  for (const needed of ['thread', 'node'] as const) {
    if (!map.has(needed)) throw new RangeError(`--effects-map must say which field is the ${needed}.`);
  }
  if (map.has('namespace') && map.has('taskNamespace')) {
    throw new RangeError('--effects-map takes namespace= or taskNamespace=, not both.');
  }
  return map;
}

/** `thread=session_id, node=tool`. */
export function mapText(map: EffectsMap): string {
  invariant(map.size > 0, 'a mapping names at least the thread and the node');
  return [...map].map(([key, field]) => `${key}=${field}`).join(', ');
}
