/**
 * Shows one thread: finds it, analyses it, pictures it, and tells the picture as a tree, as Graphviz or as JSON. Easy
 * to get wrong: the analysis sees real names and ids (task ids are hashes of them, ids carry time); only what is told
 * is renamed.
 */
import { prepareAnalysis } from '#analysis/prepare.ts';
import { gatherFacts } from '#analysis/anomalies/gather.ts';
import { anonymousLabels, fullLabels, shortLabels } from '#analysis/explanation/labels.ts';
import { pictureThread, idsOf, type ThreadPicture } from '#analysis/explanation/picture.ts';
import { findByPrefix, shortIds } from '#analysis/explanation/short-ids.ts';
import type { DrawingOrder } from '#analysis/explanation/drawing.ts';
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import type { Verdict } from '#analysis/model/finding.ts';
import { loadHashes } from '#analysis/serialization/task-ids.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { dotGraph } from '../report/dot.ts';
import { printable } from '../report/printable.ts';
import type { Palette } from '../report/style.ts';
import { threadJson } from '../report/tree-json.ts';
import type { TreeChoice } from '../report/tree-namespaces.ts';
import { threadTreeText } from '../report/tree-text.ts';

/** How a thread is to be shown. */
export interface ShowChoice {
  readonly format: 'tree' | 'dot' | 'json';
  readonly order: DrawingOrder;
  readonly expand: boolean;
  readonly subgraphs: boolean;
  /** A checkpoint id or the beginning of one; null for the whole tree. */
  readonly around: string | null;
  readonly anonymize: boolean;
  readonly palette: Palette;
  /** Characters in a line of the tree. */
  readonly width: number;
}

/** A thread as text, without a final line feed, and its verdict. */
export interface ShownThread {
  readonly text: string;
  readonly verdict: Verdict;
}

/** Analyses a thread and tells it. *Fails* with OperatorError when `around` names no checkpoint, or several. */
export async function showThread(
  evidence: ThreadEvidence,
  options: AnalysisOptions,
  choice: ShowChoice,
): Promise<ShownThread> {
  const analyse = await prepareAnalysis(options);
  const report = await analyse(evidence);
  const facts = gatherFacts(evidence, options, { hashes: await loadHashes(), explainStarts: null });
  const picture = pictureThread(facts, report);
  return { text: told(picture, evidence, options, choice), verdict: report.verdict };
}

function told(
  picture: ThreadPicture,
  evidence: ThreadEvidence,
  { rules }: AnalysisOptions,
  choice: ShowChoice,
): string {
  const { format, order, expand, subgraphs, palette, width } = choice;
  const asked = rules.flatMap(({ left, right }) => [...left, ...right]);
  const anonymous = choice.anonymize ? anonymousLabels(picture, evidence, asked) : null;
  switch (format) {
    case 'json':
      return threadJson(picture, anonymous ?? fullLabels);
    case 'dot':
      return dotGraph(picture, anonymous ?? shortLabels(picture, evidence));
    case 'tree': {
      const around = choice.around === null ? null : findRow(picture, choice.around);
      const labels = anonymous ?? shortLabels(picture, evidence);
      return threadTreeText(picture, { order, expand, subgraphs, around }, { labels, palette, width });
    }
  }
}

/** Ids of an ambiguous prefix that the message tells. */
const toldIds = 5;

/** The first namespace, the root graph's before others, that has the row. */
function findRow(picture: ThreadPicture, prefix: string): TreeChoice['around'] {
  const ids = picture.namespaces.flatMap(({ tree }) => tree.rows.map(({ id }) => id as string));
  const match = findByPrefix(ids, prefix);
  if (match.kind === 'several') {
    const short = shortIds(idsOf(picture));
    const some = match.ids.slice(0, toldIds).map((id) => printable(short.get(id) ?? id, 80));
    throw new OperatorError({
      happened: `${match.ids.length} checkpoints begin with ${printable(prefix, 80)}`,
      place: '--around',
      remedy: `Give more of the id: ${some.join(', ')}${match.ids.length > toldIds ? ', …' : ''}.`,
    });
  }
  for (const { namespace, tree } of picture.namespaces) {
    const at = match.kind === 'one' ? tree.rows.findIndex(({ id }) => id === match.id) : -1;
    if (at >= 0) return { namespace, at };
  }
  throw new OperatorError({
    happened: `no checkpoint of the thread begins with ${printable(prefix, 80)}`,
    place: '--around',
    remedy: 'Give an id as the drawing shows it, or the whole id.',
  });
}
