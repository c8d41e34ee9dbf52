/**
 * A report with other names. Easy to get wrong: the report's own words (`race`, `terminal`, `js`) may be names of nodes
 * too, so each field is renamed by what it holds; only sentences and a finding's details are searched for names.
 */
import type { Finding } from '#analysis/model/finding.ts';
import type { NamespaceReport, NodeCounts, ThreadReport } from '#analysis/model/report.ts';
import { nameReplacer } from '#analysis/explanation/replace-names.ts';

/** Keys of details whose values are words of the report. */
const ownWords: ReadonlySet<string> = new Set(['cause', 'where', 'class', 'verdict', 'method', 'reason']);

/** The report in the names of `names` (original → new); names that are not in it stay. */
export function renamedReport(report: ThreadReport, names: ReadonlyMap<string, string>): ThreadReport {
  const name = <Name extends string>(text: Name): Name => (names.get(text) ?? text) as Name;
  const replace = nameReplacer(names);
  const sentence = <Text extends string>(text: Text): Text => (names.get(text) ?? replace(text)) as Text;
  const list = <Name extends string>(texts: readonly Name[]): readonly Name[] => texts.map(name);
  const counts = (original: NodeCounts): NodeCounts =>
    new Map([...original].map(([node, count]) => [name(node), count]));

  const finding = (original: Finding): Finding => ({
    ...original,
    thread: name(original.thread),
    namespace: original.namespace === null ? null : sentence(original.namespace),
    because: sentence(original.because),
    witness: original.witness.map(sentence),
    details: renamedRecord(original.details, sentence),
  });

  const namespace = (original: NamespaceReport): NamespaceReport => {
    const { tree, head, maxPath, pending, log } = original.executions;
    return {
      ...original,
      namespace: sentence(original.namespace),
      roots: list(original.roots),
      leaves: list(original.leaves),
      head: original.head === null ? null : name(original.head),
      headLineage: list(original.headLineage),
      danglingParents: original.danglingParents.map(({ child, parent }) => ({
        child: name(child),
        parent: name(parent),
      })),
      forks: original.forks.map((fork) => ({
        ...fork,
        parent: fork.parent === null ? null : name(fork.parent),
        children: list(fork.children),
        because: sentence(fork.because),
      })),
      executions: {
        tree: counts(tree),
        head: counts(head),
        maxPath: counts(maxPath),
        pending: counts(pending),
        log: log === null ? null : counts(log),
      },
      hidden: counts(original.hidden),
      atLeast: list(original.atLeast),
      atMost: list(original.atMost),
    };
  };

  return {
    ...report,
    thread: name(report.thread),
    schema: report.schema === null ? null : name(report.schema),
    ...(report.statusReason === undefined
      ? {}
      : { statusReason: { ...report.statusReason, because: sentence(report.statusReason.because) } }),
    next: list(report.next),
    namespaces: report.namespaces.map(namespace),
    log: report.log === null ? null : counts(report.log),
    unrecorded: counts(report.unrecorded),
    findings: report.findings.map(finding),
    undecided: report.undecided.map(({ question, reason }) => ({
      question: sentence(question),
      reason: sentence(reason),
    })),
    ...(report.misreadLeaves === undefined
      ? {}
      : {
          misreadLeaves: report.misreadLeaves.map(({ leaf, run, channels, isHead }) => ({
            leaf: name(leaf),
            run: name(run),
            channels: channels.map(sentence),
            isHead,
          })),
        }),
  };
}

function renamedRecord(
  record: Readonly<Record<string, unknown>>,
  sentence: (text: string) => string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      ownWords.has(key) ? value : renamedValue(value, sentence),
    ]),
  );
}

/** Details are a few levels deep, as the detectors wrote them. */
function renamedValue(value: unknown, sentence: (text: string) => string): unknown {
  if (typeof value === 'string') return sentence(value);
  if (Array.isArray(value)) return value.map((item) => renamedValue(item, sentence));
  if (value instanceof Map) {
    return new Map(
      [...(value as ReadonlyMap<unknown, unknown>)].map(([key, item]) => [
        renamedValue(key, sentence),
        renamedValue(item, sentence),
      ]),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return renamedRecord(value as Readonly<Record<string, unknown>>, sentence);
}
