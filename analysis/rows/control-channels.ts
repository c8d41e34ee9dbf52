/**
 * Which write rows say that a task finished, and which say something else about it. A batch of ordinary writes has
 * indices from 0; `__error__`, `__interrupt__` and the like have rows of their own that stay after they were settled.
 */
import type { WriteRow } from '#analysis/model/checkpoint.ts';
import type { TaskId } from '#analysis/model/identifiers.ts';

const controlChannels: ReadonlySet<string> = new Set([
  '__error__',
  '__error_source_node__',
  '__interrupt__',
  '__resume__',
  '__scheduled__',
]);

/** Whether a row is an outcome of a finished task (also `__no_writes__`: finished, returned nothing). */
export function isOutput(write: WriteRow): boolean {
  return !controlChannels.has(write.channel);
}

// The exit-mode accumulation of delta channels: the step in eight digits in Python, `ffffffff-` in JS, one fixed id
// there. Steps are taken to be below 10,000, since one real id in forty begins with eight decimal digits.
const syntheticTask = /^(?:ffffffff-|0000\d{4}-)/;

/** Whether a task id names no task: a Command's writes, or a delta channel's accumulation under exit durability. */
export function isSynthetic(task: TaskId): boolean {
  return syntheticTask.test(task);
}
