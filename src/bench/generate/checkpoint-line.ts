/**
 * A row of `checkpoints` as pg_dump prints it: jsonb text with keys by length and then by bytes. Easy to get wrong: in
 * Python plain values stand in the row and are repeated in every later one, and a set trigger is a key with null.
 */
import { channel, triggerOf } from './graphs.ts';
import { timestamp, timestampRest } from './moments.ts';
import type { Draft } from './stored-values.ts';
import type { ThreadPlan } from './thread-plan.ts';
import type { StoryRow } from './story-row.ts';

/** The line with its line feed; one character a byte. */
export function checkpointLine(
  plan: ThreadPlan,
  thread: string,
  row: StoryRow,
  drafts: readonly Draft[],
): string {
  const { language } = plan;
  const quote = language === 'js' ? '' : '"';
  const parent = row.parentId ?? '\\N';
  let line = `${thread}\t\t${row.id}\t${parent}\t\\N\t{"v": 4, "id": "${row.id}", "ts": "`;
  line += `${timestamp(row.timeMs)}${timestampRest(language, row.timeMs)}", "versions_seen": {`;
  line += versionsSeen(plan.graph, row, quote);
  if (language === 'python') line += `}, "channel_values": {${inlineValues(plan, row, drafts)}`;
  line += `}, "channel_versions": {${channelVersions(plan, row, quote)}`;
  if (language === 'python') line += `}, "updated_channels": [${updatedChannels(plan, row)}]`;
  else line += '}';
  const user = plan.inline ? `, "user_id": "user-${plan.runs.length}"` : '';
  return `${line}}\t{"step": ${row.step}, "source": "${row.superstep === null ? 'input' : 'loop'}", "parents": {}${user}}\n`;
}

function versionsSeen(graph: ThreadPlan['graph'], { seen }: StoryRow, quote: string): string {
  let text = '';
  for (const node of graph.seenOrder) {
    const comma = text === '' ? '' : ', ';
    if (node < 0) {
      text += `${comma}"__input__": {}`;
      continue;
    }
    const version = seen[node] ?? '';
    if (version === '') continue;
    const name = graph.nodes[node] ?? '';
    text +=
      version === '{}'
        ? `${comma}"${name}": {}`
        : `${comma}"${name}": {"${graph.channels[triggerOf(node)] ?? ''}": ${quote}${version}${quote}}`;
  }
  return text;
}

function channelVersions({ graph, inline }: ThreadPlan, { versions }: StoryRow, quote: string): string {
  let text = '';
  for (const number of graph.channelOrder) {
    const version = versions[number] ?? '';
    if (version === '') continue;
    const comma = text === '' ? '' : ', ';
    text += `${comma}"${channelName(graph, number, inline)}": ${quote}${version}${quote}`;
  }
  return text;
}

function inlineValues({ graph, inline }: ThreadPlan, row: StoryRow, drafts: readonly Draft[]): string {
  let text = '';
  if (inline && row.versions[channel.draft] !== '') {
    text = `"draft": ${drafts[row.draft]?.inRow ?? '""'}, "turns": ${row.steps.count}`;
  }
  if (row.waiting !== null && row.waiting > 0) {
    text += `${text === '' ? '' : ', '}"${graph.channels[triggerOf(row.waiting)] ?? ''}": null`;
  }
  return text;
}

/** Those written to, in the order of their code points; cleared ones are not among them. */
function updatedChannels({ graph, inline }: ThreadPlan, row: StoryRow): string {
  if (row.superstep === null) return '"__start__"';
  const names: string[] = [];
  for (const number of row.changed) {
    const isSet =
      number === channel.draft ||
      number === channel.steps ||
      (number === channel.sends && row.sends > 0) ||
      (row.waiting !== null && number === triggerOf(row.waiting));
    if (isSet) names.push(`"${channelName(graph, number, inline)}"`);
  }
  return names.sort().join(', ');
}

/** A counter takes the place of the list where all state stands in the row. */
export function channelName({ channels }: ThreadPlan['graph'], number: number, inline: boolean): string {
  return inline && number === channel.steps ? 'turns' : (channels[number] ?? '');
}
