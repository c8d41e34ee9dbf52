/**
 * The rows of `checkpoint_blobs` that a checkpoint brings. Easy to get wrong: JS stores a row for every new version,
 * `empty` where the value is gone; Python stores neither cleared channels nor plain values.
 */
import { channelName } from './checkpoint-line.ts';
import { channel, triggerOf } from './graphs.ts';
import { jsonSends, packedList, packedSend, type Draft } from './stored-values.ts';
import type { Told } from './story.ts';
import type { StoryRow } from './story-row.ts';
import type { ThreadPlan } from './thread-plan.ts';

/** The lines with their line feeds, in the order of their insertion; one character a byte. */
export function blobLines(
  plan: ThreadPlan,
  thread: string,
  { row, dropped }: Told,
  drafts: readonly Draft[],
): string[] {
  const lines: string[] = [];
  const minted = row.versions[channel.start] ?? '';
  for (const number of row.changed) {
    if (dropped.includes(number)) continue;
    const value =
      plan.language === 'js' ? jsonBlob(plan, row, number, drafts) : packedBlob(plan, row, number, drafts);
    if (value === null) continue;
    const version = row.versions[number] ?? minted;
    lines.push(`${thread}\t\t${channelName(plan.graph, number, plan.inline)}\t${version}\t${value}\n`);
  }
  return lines;
}

const emptyBlob = 'empty\t\\N';

function jsonBlob(plan: ThreadPlan, row: StoryRow, number: number, drafts: readonly Draft[]): string {
  switch (number) {
    case channel.draft:
      return json(drafts[row.draft]?.json ?? '');
    case channel.steps:
      return json(`5b${row.steps.items}5d`);
    case channel.start:
      return row.superstep === null ? json(jsonInput(drafts[row.draft])) : emptyBlob;
    case channel.sends:
      return json(jsonSends(row.sends));
    default:
      if (row.waiting === null || triggerOf(row.waiting) !== number) return emptyBlob;
      return json(triggerValue(plan.graph.nodes[row.waiting] ?? ''));
  }
}

function packedBlob(
  plan: ThreadPlan,
  row: StoryRow,
  number: number,
  drafts: readonly Draft[],
): string | null {
  switch (number) {
    case channel.draft:
      return plan.inline ? null : packed(drafts[row.draft]?.mapping ?? '');
    case channel.steps:
      return plan.inline ? null : packed(packedList(row.steps.count, row.steps.items));
    case channel.start:
      return row.superstep === null ? packed(packedInput(drafts[row.draft], plan.inline)) : null;
    case channel.sends:
      return packed(
        packedList(row.sends, Array.from({ length: row.sends }, (_, item) => packedSend(item)).join('')),
      );
    default:
      return null;
  }
}

function json(value: string): string {
  return `json\t\\\\x${value}`;
}

function packed(value: string): string {
  return `msgpack\t\\\\x${value}`;
}

/** `{"draft":…,"steps":[]}` */
function jsonInput(draft: Draft | undefined): string {
  return `7b226472616674223a${draft?.json ?? ''}2c227374657073223a5b5d7d`;
}

/** The same as msgpack; with `turns` 0 for `steps` where state is plain. */
function packedInput(draft: Draft | undefined, inline: boolean): string {
  return inline
    ? `82a56472616674${draft?.text ?? ''}a57475726e7300`
    : `82a56472616674${draft?.mapping ?? ''}a5737465707390`;
}

/** What JS puts into a trigger: null, and the node's name before a conditional edge, which only the agent has. */
export function triggerValue(next: string): string {
  return next === 'tools' ? '226167656e7422' : '6e756c6c';
}
