/**
 * What things are called in a drawing: ids cut short, or everything renamed so that the drawing can be shared. Easy
 * to get wrong: sentences of findings quote names, so whoever renames a node in a row must rename it in the sentence
 * too, and must leave the words of the report's own vocabulary (`race`, `input`) where data is called like them.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import { branchNames, relabelling } from '#analysis/lineage/relabel.ts';
import { branches } from '#analysis/lineage/walk.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { pseudoNodes } from '#analysis/rows/versions-seen.ts';
import { nameReplacer } from './replace-names.ts';
import { idsOf, type ThreadPicture } from './picture.ts';
import { shortIds } from './short-ids.ts';

/** How a renderer calls things. Nothing here is made safe to print. */
export interface Labels {
  /** A thread, node, checkpoint, task, run or channel by its own name. */
  readonly name: (text: string) => string;
  /** A text that quotes such names: a sentence, a namespace. */
  readonly text: (text: string) => string;
  /** Original → label, of what is not called as it is. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Checkpoint, task and run ids cut to what tells them apart, run tokens also without the thread's name, which our
 * harness puts before them; everything else as it is.
 */
export function shortLabels(picture: ThreadPicture, evidence: ThreadEvidence): Labels {
  const { tasks, runs } = mentioned(picture, evidence);
  const prefix = `${evidence.rows.thread}/`;
  const short = [...shortIds(runs)].map(([run, cut]): [string, string] => {
    const rest = run.slice(prefix.length);
    return [run, run.startsWith(prefix) && rest !== '' ? rest : cut];
  });
  return labelled(new Map([...short, ...shortIds(tasks), ...shortIds(idsOf(picture))]));
}

/** Everything as it is, for machines. */
export const fullLabels: Labels = { name: (text) => text, text: (text) => text, names: new Map() };

/**
 * Neutral names: rows by branch (`a1`, `a2`, `b1`); in capitals, which no branch has, T1 the thread, N nodes, C
 * channels, R runs, K tasks, W workers, B business keys, P absent parents, S the schema. LangGraph's own names
 * (`__start__`) stay. `asked`: nodes that only the questions name, such as those of a user's rule. The same evidence gets
 * the same names.
 */
export function anonymousLabels(
  picture: ThreadPicture,
  evidence: ThreadEvidence,
  asked: Iterable<string> = [],
): Labels {
  const { tasks, runs, nodes, channels, workers, keys } = mentioned(picture, evidence);
  const names = new Map<string, string>();
  const give = (prefix: string, texts: Iterable<string>): void => {
    const { name } = relabelling(prefix);
    for (const text of texts) if (!names.has(text) && !ownNames.has(text)) names.set(text, name(text));
  };
  nameRows(picture, names);
  give('P', [...idsOf(picture)].sort());
  give('T', [evidence.rows.thread]);
  give('N', nodes);
  give('N', asked);
  give('K', [...tasks].sort());
  give('R', runs);
  give('C', [...channels].sort());
  give('W', workers);
  give('B', keys);
  if (evidence.rows.schema !== null) give('S', [evidence.rows.schema]);
  return labelled(names);
}

function labelled(names: ReadonlyMap<string, string>): Labels {
  const replace = nameReplacer(names);
  return { name: (text) => names.get(text) ?? text, text: (text) => names.get(text) ?? replace(text), names };
}

/** LangGraph's own nodes and channels; a user's `__proto__` is not among them. */
const ownNames: ReadonlySet<string> = new Set([
  ...pseudoNodes,
  '',
  '__end__',
  '__error__',
  '__error_source_node__',
  '__no_writes__',
  '__pregel_tasks',
  '__resume__',
  '__return__',
  '__scheduled__',
]);

function nameRows({ namespaces }: ThreadPicture, names: Map<string, string>): void {
  const found = namespaces.flatMap(({ tree }) =>
    branches(tree).map(({ rows }) => rows.map((at) => rowAt(tree, at).id)),
  );
  let next = 0;
  const numbered = found.map((ids) => ({ rows: ids.map(() => next++) }));
  const byNumber = branchNames(numbered);
  for (const [number, id] of found.flat().entries()) {
    const name = byNumber.get(number);
    if (name !== undefined && !names.has(id)) names.set(id, name);
  }
}

interface Mentioned {
  readonly tasks: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
  readonly workers: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

/** Every name that the evidence mentions, by kind. */
function mentioned(
  { namespaces, report }: ThreadPicture,
  { rows, log, runs: records }: ThreadEvidence,
): Mentioned {
  const tasks = new Set<string>();
  const runs = new Set<string>();
  const nodes = new Set<string>();
  const channels = new Set<string>();
  const workers = new Set<string>();
  const keys = new Set<string>();
  const add = (to: Set<string>, text: string | null): void => {
    if (text !== null) to.add(text);
  };
  for (const { namespace, rows: pictured } of namespaces) {
    for (const segment of namespace.split('|')) {
      const [node = '', ...rest] = segment.split(':');
      nodes.add(node);
      if (rest.length > 0) tasks.add(rest.join(':'));
    }
    for (const { row, edge, waiting } of pictured) {
      add(runs, row.run);
      for (const node of edge.tasks) nodes.add(node);
      for (const node of row.versionsSeen.keys()) nodes.add(node);
      for (const channel of row.channelVersions.keys()) addChannel(channel, nodes, channels);
      for (const { node } of waiting) add(nodes, node);
    }
  }
  for (const node of report.next) nodes.add(node);
  for (const { channel, task } of rows.writes ?? []) {
    tasks.add(task);
    addChannel(channel, nodes, channels);
  }
  for (const effect of [...(log?.effects ?? []), ...(log?.table ?? [])]) {
    nodes.add(effect.node);
    add(tasks, effect.task);
    add(runs, effect.run);
    add(workers, effect.worker);
    add(keys, effect.businessKey);
  }
  for (const { run, worker } of records ?? []) {
    runs.add(run);
    workers.add(worker);
  }
  return { tasks, runs, nodes, channels, workers, keys };
}

/** Triggers are named after nodes: `branch:to:plan`, `join:a+b:c`, or, in older layouts, a node's own name. */
function addChannel(channel: string, nodes: Set<string>, channels: Set<string>): void {
  const trigger = /^(?:branch|join):(.*)$/s.exec(channel)?.[1];
  if (trigger === undefined) channels.add(channel);
  else for (const node of trigger.split(/[:+]/)) if (node !== 'to') nodes.add(node);
}
