import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName, RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import { simulate } from '#analysis/simulation/simulate.ts';
import { showThread } from '../show/show-thread.ts';
import { plain } from './style.ts';

function race(nodes: readonly string[], thread = 'booking'): ThreadEvidence {
  const run = (name: string) => ({
    run: name as RunToken,
    worker: name,
    begins: 'input' as const,
    cancelAfter: null,
    zombie: false,
  });
  return simulate({
    thread: thread as ThreadId,
    nodes: nodes as NodeName[],
    runs: [run('z'), run('a'), run('b')],
    schedule: [...Array.from({ length: 40 }, () => 0), 1, 2],
    minting: 'counted',
  }).evidence;
}

async function dot(evidence: ThreadEvidence, anonymize = false): Promise<string> {
  const choice = {
    format: 'dot' as const,
    order: 'time' as const,
    expand: false,
    subgraphs: false,
    around: null,
    anonymize,
    palette: plain,
    width: 80,
  };
  return (await showThread(evidence, { rules: [] }, choice)).text;
}

/** The statements of a graph, by the grammar of quoted strings alone; throws where a quote does not end. */
function statements(text: string): string[] {
  return text.split('\n').map((line) => {
    const rest = line.replace(/"(?:[^"\\]|\\.)*"/g, 'QUOTED');
    if (rest.includes('"') || rest.includes('\\'))
      throw new Error(`a string of this line does not end: ${line}`);
    return rest.trim();
  });
}

const statement =
  /^(?:digraph thread \{|\}|subgraph cluster_\d+ \{|rankdir=TB;|(?:node|edge) \[.*\];|label=QUOTED;|[nra]\d+_\d+(?: -> [nra]\d+_\d+)?(?: \[[\w=, QUOTED]+\])?;)$/;

describe('a race as a Graphviz graph', () => {
  test('has a node for each checkpoint, an edge for each parent, the head bold and the hidden branch dashed', async () => {
    const evidence = race(['plan', 'charge']);
    const lines = statements(await dot(evidence));
    expect(lines.filter((line) => /^n0_\d+ \[/.test(line))).toHaveLength(evidence.rows.checkpoints.length);
    expect(lines.filter((line) => /^n0_\d+ -> n0_\d+/.test(line))).toHaveLength(
      evidence.rows.checkpoints.length - 1,
    );
    expect(lines.filter((line) => line.includes('penwidth=3'))).toHaveLength(1);
    expect(lines.filter((line) => /^n0_\d+ \[.*dashed/.test(line))).toHaveLength(4);
  });

  test('draws the edges of the fork in red, and those of nothing else', async () => {
    const red = statements(await dot(race(['plan', 'charge']))).filter((line) =>
      / -> .*color=red/.test(line),
    );
    expect(new Set(red.map((line) => line.split(' ')[0])).size).toBe(1);
    expect(red).toHaveLength(2);
  });

  test('keeps its grammar whatever nodes and threads are called', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        '"',
        '\\',
        '\n',
        '\r',
        '&lt;',
        '<',
        '>',
        ';',
        '}',
        ']',
        '\u001b[31m',
        '\\N',
        '\0',
        'é',
        'a',
      ),
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hostile, { minLength: 1, maxLength: 3 }),
        hostile,
        async (nodes, thread) => {
          for (const line of statements(await dot(race(nodes, thread)))) expect(line).toMatch(statement);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('shows entities and escapes as they are written, not what Graphviz makes of them', async () => {
    const text = await dot(race(['&lt;b&gt;', 'a\\N"']));
    expect(text).toContain('&amp;lt;b&amp;gt;');
    // The backslash is doubled once to be told from an escape of ours and once for Graphviz.
    expect(text).toContain('a\\\\\\\\N\\"');
  });
});
