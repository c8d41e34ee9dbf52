/**
 * One record of a foreign log as an effect, by a mapping. Easy to get wrong: an empty cell of CSV and a missing key of
 * JSON both mean "not said", but an empty namespace is the root graph's.
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
import { OperatorError } from '../failure/operator-error.ts';
import type { EffectKey, EffectsMap } from './effects-map.ts';
import { effectTimeMs, timeForms } from './effect-time.ts';
import type { LogRecord } from './log-records.ts';

/** The value a mapped key has in a record; undefined when the record lacks the field. */
export function mappedValue({ fields }: LogRecord, field: string): unknown {
  if (fields.has(field)) return fields.get(field);
  const [first = '', ...inner] = field.split('.');
  let value: unknown = inner.length === 0 ? undefined : fields.get(first);
  for (const name of inner) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** Decodes a record. *Fails* with OperatorError that names file, line and field, and never quotes the value. */
export function mappedEffect(record: LogRecord, map: EffectsMap): Effect {
  const read = new MappedFields(record, map);
  return {
    thread: read.needed('thread') as ThreadId,
    node: read.needed('node') as NodeName,
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

function namespaceOf(read: MappedFields): Namespace | null {
  if (read.names('namespace')) return read.namespace() as Namespace | null;
  const task = read.text('taskNamespace');
  if (task === null) return null;
  // The last segment is the task's own.
  const cut = task.lastIndexOf('|');
  return (cut < 0 ? '' : task.slice(0, cut)) as Namespace;
}

class MappedFields {
  readonly #record: LogRecord;
  readonly #map: EffectsMap;

  constructor(record: LogRecord, map: EffectsMap) {
    this.#record = record;
    this.#map = map;
  }

  names(key: EffectKey): boolean {
    return this.#map.has(key);
  }

  /** Text; numbers as their decimal text, since process ids and booking ids are often written so. */
  text(key: EffectKey): string | null {
    const value = this.#value(key);
    if (value === null || (value === '' && key !== 'thread')) return null;
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    throw this.#misfit(key, 'text or a number');
  }

  namespace(): string | null {
    const value = this.#value('namespace');
    if (value === '' || (value === null && this.#record.form === 'csv')) return '';
    return this.text('namespace');
  }

  needed(key: 'thread' | 'node'): string {
    const value = this.text(key);
    if (value === null) throw this.#misfit(key, `the ${key} of every record`);
    return value;
  }

  number(key: EffectKey): number | null {
    const value = this.#value(key);
    if (value === null || value === '') return null;
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw this.#misfit(key, 'a number');
  }

  time(key: EffectKey): number | null {
    const value = this.#value(key);
    if (value === null || value === '') return null;
    const ms = typeof value === 'string' || typeof value === 'number' ? effectTimeMs(value) : null;
    if (ms === null) throw this.#misfit(key, timeForms);
    return ms;
  }

  /** Null for a field that is absent, null, or not mapped. */
  #value(key: EffectKey): unknown {
    const field = this.#map.get(key);
    return field === undefined ? null : (mappedValue(this.#record, field) ?? null);
  }

  #misfit(key: EffectKey, expected: string): OperatorError {
    const field = this.#map.get(key) ?? key;
    return new OperatorError({
      happened: `the field ${field} does not decode as the effect's ${key}`,
      place: this.#record.place,
      expected,
      remedy: 'Correct the record or leave it out, or map another field with --effects-map.',
    });
  }
}
