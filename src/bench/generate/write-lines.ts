/**
 * The rows of `checkpoint_writes`: what the tasks before a checkpoint wrote, under its parent's id, and the interrupt
 * of a thread that waits. Easy to get wrong: the ids are the ones LangGraph computes, for the analysis names tasks by
 * computing them again.
 */
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { taskNamespace, type TaskIdHashes, type TaskOrigin } from '#analysis/serialization/task-ids.ts';
import { triggerValue } from './blob-lines.ts';
import { channel, triggerOf } from './graphs.ts';
import type { Language } from './moments.ts';
import { stepItem } from './step-items.ts';
import { hex, jsonInterrupt, jsonSend, packedInterrupt, packedSend, type Draft } from './stored-values.ts';
import type { Told } from './story.ts';
import type { StoryRow } from './story-row.ts';
import type { ThreadPlan } from './thread-plan.ts';

/** Everything that lines of writes are made with. */
export interface WriteTools {
  readonly drafts: readonly Draft[];
  readonly hashes: TaskIdHashes;
  /** Whether the table has the column `task_path`, which it has once Python set it up. */
  readonly hasPath: boolean;
}

/** A line and the task it is of. */
export interface WriteLine {
  readonly line: string;
  readonly task: Task;
  /** The interrupt's id when the line holds one, as it stands in the text; else null. */
  readonly interrupt: string | null;
}

/** A task, as far as its id depends on it. */
export interface Task {
  readonly node: NodeName;
  readonly origin: TaskOrigin;
  readonly step: number;
}

/** A task's id and own namespace under its parent's id. */
export function taskOf(
  hashes: TaskIdHashes,
  language: Language,
  parentId: string,
  { node, origin, step }: Task,
): { readonly id: TaskId; readonly namespace: string } {
  const place = { parent: parentId as CheckpointId, namespace: '' as Namespace, step };
  const id = hashes.taskId(language, place, node, origin) ?? ('' as TaskId);
  return { id, namespace: taskNamespace(place, node, id) };
}

/** The lines with their line feeds, in the order of their insertion; one character a byte. */
export function writeLines(
  plan: ThreadPlan,
  thread: string,
  { row, isLast }: Told,
  tools: WriteTools,
): WriteLine[] {
  const { parentId, superstep } = row;
  const { language } = plan;
  const lines: WriteLine[] = [];
  const add = (
    parent: string,
    task: Task,
    values: readonly string[],
    first = 0,
    interrupt: string | null = null,
  ): void => {
    const { id } = taskOf(tools.hashes, language, parent, task);
    const path = tools.hasPath ? `\t${language === 'js' ? '' : taskPath(task)}` : '';
    values.forEach((value, at) => {
      const line = `${thread}\t\t${parent}\t${id}\t${first + at}\t${value}${path}\n`;
      lines.push({ line, task, interrupt });
    });
  };
  if (parentId !== null && superstep !== null) {
    const { node, pushed } = superstep;
    const writes = taskWrites(plan, row, tools.drafts);
    for (let index = 0; index < Math.max(1, pushed); index += 1) {
      add(parentId, taskAt(plan, row.step, node, pushed === 0 ? null : index), writes);
    }
  }
  if (isLast && plan.interrupted && row.waiting !== null) {
    const task = taskAt(plan, row.step + 1, row.waiting, null);
    const id = tools.hashes.interruptId(taskOf(tools.hashes, language, row.id, task).namespace);
    const value =
      language === 'js' ? `json\t\\\\x${jsonInterrupt(id)}` : `msgpack\t\\\\x${packedInterrupt(id)}`;
    add(row.id, task, [`__interrupt__\t${value}`], -3, hex(id));
  }
  return lines;
}

/** The fields `channel`, `type` and `blob` of what each task before a row wrote, by index. */
function taskWrites(
  plan: ThreadPlan,
  { draft, waiting, superstep }: StoryRow,
  drafts: readonly Draft[],
): string[] {
  const { graph, inline, language } = plan;
  const value = drafts[draft];
  const isJs = language === 'js';
  const writes: string[] = [];
  if (superstep === null) return writes;
  const { node, pushed, sends } = superstep;
  if (pushed === 0) {
    if (isJs) writes.push(`draft\tjson\t\\\\x${value?.json ?? ''}`);
    else writes.push(`draft\tmsgpack\t\\\\x${(inline ? value?.text : value?.mapping) ?? ''}`);
  }
  const item = node === 0 ? '' : stepItem(language, graph.nodes[node] ?? '', 0);
  if (isJs) writes.push(`steps\tjson\t\\\\x5b${item}5d`);
  else if (inline) writes.push(`turns\tmsgpack\t\\\\x${node === 0 ? '00' : '01'}`);
  else writes.push(`steps\tmsgpack\t\\\\x${node === 0 ? '90' : '91'}${item}`);
  if (waiting !== null) {
    const trigger = graph.channels[triggerOf(waiting)] ?? '';
    const set = isJs ? `json\t\\\\x${triggerValue(graph.nodes[waiting] ?? '')}` : 'null\t\\\\x';
    writes.push(`${trigger}\t${set}`);
  }
  const tasks = graph.channels[channel.sends] ?? '';
  for (let index = 0; index < sends; index += 1) {
    const send = isJs ? `json\t\\\\x${jsonSend(index)}` : `msgpack\t\\\\x${packedSend(index)}`;
    writes.push(`${tasks}\t${send}`);
  }
  return writes;
}

function taskAt({ graph }: ThreadPlan, step: number, node: number, push: number | null): Task {
  const trigger = (graph.channels[triggerOf(node)] ?? '') as ChannelName;
  const origin: TaskOrigin =
    push === null ? { kind: 'pull', triggers: [trigger] } : { kind: 'push', index: push };
  return { node: (graph.nodes[node] ?? '') as NodeName, origin, step };
}

function taskPath({ node, origin }: Task): string {
  return origin.kind === 'push'
    ? `~__pregel_push, ${String(origin.index).padStart(10, '0')}, 0000000000`
    : `~__pregel_pull, ${node}`;
}
