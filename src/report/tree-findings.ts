/**
 * What is said below a drawing: every finding with its sentence and the ids it rests on, then what could not be
 * decided. Easy to get wrong: hundreds of like findings must not bury the one that differs, so each kind is cut after
 * a few, and how many more there are is said.
 */
import type { Finding, FindingKind } from '#analysis/model/finding.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import { pushTo } from '#analysis/model/maps.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { Labels } from '#analysis/explanation/labels.ts';
import { printable } from './printable.ts';
import { piece, type Piece, type TreeLine } from './tree-line.ts';
import { shownText } from './tree-row.ts';

/** Findings of one kind and severity that are told one by one. */
const mostOfAKind = 5;
/** Witness ids that are told. */
const mostWitnesses = 6;
const longestSentence = 1_000;

const order = ['error', 'warning', 'info'] as const;

/** The lines below a drawing; `all` tells every finding. */
export function findingLines(report: ThreadReport, labels: Labels, all: boolean): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  for (const severity of order) {
    const kinds = new Map<FindingKind, Finding[]>();
    for (const finding of report.findings)
      if (finding.severity === severity) pushTo(kinds, finding.kind, finding);
    for (const [kind, findings] of kinds) {
      const told = all ? findings : findings.slice(0, mostOfAKind);
      lines.push(...told.map((finding) => findingLine(finding, labels)));
      const rest = findings.length - told.length;
      if (rest > 0)
        lines.push(
          line([piece(severity.padEnd(8), severity)], [`${kind}: ${rest} more; --expand tells all`]),
        );
    }
  }
  for (const { question, reason } of report.undecided) {
    lines.push(
      line(
        [piece('unknown '.padEnd(8), 'warning')],
        [`${sentence(labels, question)}: ${sentence(labels, reason)}`],
      ),
    );
  }
  return lines;
}

function findingLine({ kind, severity, because, witness, namespace }: Finding, labels: Labels): TreeLine {
  const where = namespace === null || namespace === rootNamespace ? '' : ` in ${sentence(labels, namespace)}`;
  // A witness of the log quotes the node whose record it is.
  const ids = witness.slice(0, mostWitnesses).map((id) => shownText(labels, id));
  const more = witness.length - ids.length;
  const witnessText = `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return line(
    [piece(severity.padEnd(8), severity)],
    [
      `${kind}${where}: ${sentence(labels, because)}`,
      ...(ids.length === 0 ? [] : [`witness ${witnessText}`]),
    ],
  );
}

function line(
  columns: TreeLine['columns'],
  sentences: readonly string[],
  rest: readonly Piece[] = [],
): TreeLine {
  return { graph: [], graphBelow: [], columns, phrases: [...sentences.map((text) => piece(text)), ...rest] };
}

function sentence(labels: Labels, text: string): string {
  return printable(labels.text(text), longestSentence);
}
