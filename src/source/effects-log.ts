/**
 * A whole effect log, by thread: small beside the rows, so it is held in memory. Easy to get wrong: a field that the
 * operator mapped and no record has is a typing mistake, and would silently weaken every join.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { Effect, LogHealth } from '#analysis/model/effect.ts';
import type { NodeName, ThreadId } from '#analysis/model/identifiers.ts';
import { logHealth } from '#analysis/executions/log-health.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { effectsMapOption, recognisedMapping, type EffectsMap, type EffectsMapping } from './effects-map.ts';
import { logRecords, type LogRecord } from './log-records.ts';
import { mappedEffect } from './mapped-effect.ts';
import { fieldList, mappedValue, requireFields } from './mapped-fields.ts';

/** What the log as a whole says of one name. */
export interface LoggedName {
  readonly name: NodeName;
  readonly records: number;
  readonly threads: number;
  /** Whether a record carries LangGraph's own ids, so that a task of this graph certainly wrote it. */
  readonly hasIds: boolean;
}

/** A log, read. */
export interface EffectsLog {
  readonly file: string;
  readonly mapping: EffectsMapping;
  readonly records: number;
  readonly byThread: ReadonlyMap<ThreadId, readonly Effect[]>;
  readonly names: readonly LoggedName[];
  /** Null when the log numbers no records. */
  readonly health: LogHealth | null;
}

/** Reads a log; `given` null: its mapping is recognised. *Fails* with OperatorError naming file, line and fields. */
export async function readEffectsLog(file: string, given: EffectsMap | null): Promise<EffectsLog> {
  const name = file === '-' ? 'standard input' : file;
  const byThread = new Map<ThreadId, Effect[]>();
  const fields = new Set<string>();
  let mapping: EffectsMapping | null = given === null ? null : { origin: 'given', map: given };
  const missing = new Set(given?.values());
  let records = 0;
  for await (const record of logRecords(file)) {
    for (const field of record.fields.keys()) fields.add(field);
    for (const field of missing) if (mappedValue(record, field) !== undefined) missing.delete(field);
    mapping ??= recognised(record, fields);
    if (given !== null && records === 0) {
      requireFields(name, effectsMapOption, given, missing, fields, ['thread', 'node']);
    }
    const effect = mappedEffect(record, mapping.map);
    records += 1;
    pushTo(byThread, effect.thread, effect);
  }
  if (mapping === null || records === 0) throw noRecords(name);
  if (given !== null) requireFields(name, effectsMapOption, given, missing, fields, [...given.keys()]);
  const { origin, map } = mapping;
  return {
    file: name,
    // A recognised mapping names fields that a log may lack; only those it has were used.
    mapping: { origin, map: given ?? new Map([...map].filter(([, field]) => fields.has(field))) },
    records,
    byThread,
    names: loggedNames(byThread),
    health: health(name, byThread),
  };
}

function recognised(record: LogRecord, fields: ReadonlySet<string>): EffectsMapping {
  const mapping = recognisedMapping(fields);
  if (mapping !== null) return mapping;
  throw new OperatorError({
    happened: `the log's fields are not known: ${fieldList(fields)}`,
    place: record.place,
    remedy: 'Say which is which, such as --effects-map thread=session_id,node=tool,time=at.',
  });
}

function noRecords(file: string): OperatorError {
  return new OperatorError({
    happened: 'the log holds no record',
    place: file,
    remedy: 'Give the log of the time the rows are from, or leave --effects out.',
  });
}

function loggedNames(byThread: ReadonlyMap<ThreadId, readonly Effect[]>): readonly LoggedName[] {
  const names = new Map<NodeName, { records: number; threads: number; hasIds: boolean }>();
  for (const effects of byThread.values()) {
    const here = new Set<NodeName>();
    for (const { node, task, parent } of effects) {
      const sums = names.get(node) ?? { records: 0, threads: 0, hasIds: false };
      names.set(node, sums);
      sums.records += 1;
      if (!here.has(node)) sums.threads += 1;
      here.add(node);
      sums.hasIds ||= task !== null && parent !== null;
    }
  }
  return [...names].map(([name, sums]) => ({ name, ...sums }));
}

/** A foreign log has no accounts of its workers: gaps show, a missing end does not, and nobody is known to have died. */
function health(file: string, byThread: ReadonlyMap<ThreadId, readonly Effect[]>): LogHealth | null {
  const effects = [...byThread.values()].flat();
  const numbers = new Map<string, { greatest: number; records: number }>();
  for (const { worker, sequence } of effects) {
    if (worker === null || sequence === null) continue;
    const known = numbers.get(worker) ?? { greatest: 0, records: 0 };
    numbers.set(worker, { greatest: Math.max(known.greatest, sequence), records: known.records + 1 });
  }
  if (numbers.size === 0) return null;
  for (const [worker, { greatest, records }] of numbers) {
    // An offset or a time would pass for millions of lost records.
    if (greatest <= 100 * records + 10_000) continue;
    throw new OperatorError({
      happened: `the sequence of worker ${worker} reaches ${greatest} with ${records} records`,
      place: file,
      expected: 'numbers that count 1, 2, 3 … within each worker',
      remedy: 'Leave sequence= out of the mapping, or give the whole log.',
    });
  }
  return { lost: logHealth(effects, []).lost, indeterminate: [] };
}
