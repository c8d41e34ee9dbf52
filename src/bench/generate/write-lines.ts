/**
 * The rows of `checkpoint_writes`: what the tasks before a checkpoint wrote, under its parent's id, and the interrupt
 * of a thread that waits. Easy to get wrong: the ids are the ones LangGraph computes, for the analysis names tasks by
 * computing them again.
 */
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { taskNamespace, type TaskIdHashes, type TaskOrigin } from '#analysis/serialization/task-ids.ts';
import { triggerValue } from './blob-lines.ts';
import { channel, triggerOf } from './graphs.ts';
import { stepItem } from './step-items.ts';
import { jsonInterrupt, jsonSend, packedInterrupt, packedSend, type Draft } from './stored-values.ts';
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

/** The lines with their line feeds, in the order of their insertion; one character a byte. */
export function writeLines(plan: ThreadPlan, { row, isLast }: Told, tools: WriteTools): string[] {
  const { parentId, superstep } = row;
  const lines: string[] = [];
  if (parentId !== null && superstep !== null) {
    const { node, pushed } = superstep;
    const writes = taskWrites(plan, row, tools.drafts);
    for (let task = 0; task < Math.max(1, pushed); task += 1) {
      const { line } = taskLine(plan, parentId, row.step, node, pushed === 0 ? null : task, tools);
      writes.forEach((write, index) => lines.push(line(index, write)));
    }
  }
  if (isLast && plan.interrupted && row.waiting !== null) {
    const task = taskLine(plan, row.id, row.step + 1, row.waiting, null, tools);
    const id = tools.hashes.interruptId(task.namespace);
    const value =
      plan.language === 'js'
        ? `__interrupt__\tjson\t\\\\x${jsonInterrupt(id)}`
        : `__interrupt__\tmsgpack\t\\\\x${packedInterrupt(id)}`;
    lines.push(task.line(-3, value));
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

/** How a task's lines are made from an index and the three fields, and the task's own namespace. */
function taskLine(
  { graph, language, thread }: ThreadPlan,
  parentId: string,
  step: number,
  node: number,
  push: number | null,
  { hashes, hasPath }: WriteTools,
): { readonly line: (index: number, value: string) => string; readonly namespace: string } {
  const name = (graph.nodes[node] ?? '') as NodeName;
  const origin: TaskOrigin =
    push === null
      ? { kind: 'pull', triggers: [(graph.channels[triggerOf(node)] ?? '') as ChannelName] }
      : { kind: 'push', index: push };
  const place = { parent: parentId as CheckpointId, namespace: '' as Namespace, step };
  const id = hashes.taskId(language, place, name, origin) ?? ('' as TaskId);
  const path = hasPath ? `\t${language === 'js' ? '' : taskPath(name, push)}` : '';
  return {
    line: (index, value) => `${thread}\t\t${parentId}\t${id}\t${index}\t${value}${path}\n`,
    namespace: taskNamespace(place, name, id),
  };
}

function taskPath(name: string, push: number | null): string {
  return push === null
    ? `~__pregel_pull, ${name}`
    : `~__pregel_push, ${String(push).padStart(10, '0')}, 0000000000`;
}
