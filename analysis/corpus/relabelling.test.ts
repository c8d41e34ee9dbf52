/**
 * Renaming commutes with detection: renaming the evidence and analysing it says what analysing it and renaming the
 * report says. Not every renaming is meant. A checkpoint id is a time, and a task id is the hash of a checkpoint id, a
 * namespace and a node's name, so three things are given up, on both sides of each comparison:
 * - Task ids stay and are not recomputed (no hash functions): tasks are named by stored paths and the log alone. With
 *   renamed ids or nodes every recomputation would miss.
 * - Ids are renamed by moving all of them, and all clocks, by one span. Their order and the time between them is what
 *   detection rests on; any other renaming that keeps the order would change how long runs overlapped.
 * - Where nodes and channels are renamed, stored bytes are not read, since they quote names (Send lists, barriers).
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import { rename } from '../lineage/relabel.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { CheckpointId } from '../model/identifiers.ts';
import { idTimeMs } from '../rows/id-time.ts';
import { corpusThreads } from './corpus.ts';
import { EvidenceRenamer, sameNames, withoutValues } from './renamed-evidence.ts';

const sets = ['zoo-js', 'zoo-py', 'race-js', 'race-py', 'race-lock-py', 'old-0.2.20-js', 'old-0.4.5-js'];
const options = { rules: [] };

/** Every thread twice: as a dump shows it, and with what the runs themselves knew. */
function evidenceOf(set: string): ThreadEvidence[] {
  const packed = gunzipSync(readFileSync(new URL(`${set}.jsonl.gz`, import.meta.url))).toString('utf8');
  return corpusThreads(packed).flatMap(({ evidence, withRuns }) => [evidence, withRuns]);
}

const dayMs = 86_400_000;

/** The same id some days later. The digits after its time, which hold the step, stay. */
function movedId(id: string, days: number): string {
  if (idTimeMs(id as CheckpointId) === null) return id;
  const time = BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(15, 18)}`);
  const moved = (time + BigInt(days * dayMs) * 10_000n).toString(16).padStart(15, '0');
  return `${moved.slice(0, 8)}-${moved.slice(8, 12)}-6${moved.slice(12)}${id.slice(18)}`;
}

/** The same ISO 8601 text some days later, whatever its fraction and zone look like. */
function movedText(text: string, days: number): string {
  const date = new Date(Date.parse(text.slice(0, 10)) + days * dayMs);
  return date.toISOString().slice(0, 10) + text.slice(10);
}

describe.each(sets)('in %s', (set) => {
  test.each([-400, 3_650])('moving all ids and clocks by %d days moves the report', (days) => {
    for (const evidence of evidenceOf(set)) {
      const renamer = new EvidenceRenamer({
        ...sameNames,
        id: (id) => movedId(id, days),
        timestamp: (text) => movedText(text, days),
        wallMs: (moment) => moment + days * dayMs,
      });
      const told = analyseThread(renamer.evidence(evidence), options);
      const moved = [...renamer.names].filter(([from, to]) => from !== to);
      expect(moved.length).toBeGreaterThanOrEqual(evidence.rows.checkpoints.length);
      expect(told).toEqual(rename(analyseThread(evidence, options), new Map(moved)));
    }
  });

  test('renaming nodes and channels renames the report', () => {
    let renamed = 0;
    for (const evidence of evidenceOf(set).map(withoutValues)) {
      const called = (name: string): string => (name.startsWith('__') || name === '' ? name : `q ${name}`);
      const renamer = new EvidenceRenamer({ ...sameNames, node: called, channel: called });
      const told = analyseThread(renamer.evidence(evidence), options);
      const expected = withNames(analyseThread(evidence, options), renamer.names);
      expect(withNames(told, new Map())).toEqual(expected);
      renamed += [...renamer.names].filter(([from, to]) => from !== to).length;
    }
    expect(renamed).toBeGreaterThan(0);
  });
});

test('the sets hold findings to be renamed', () => {
  const kinds = sets.flatMap(evidenceOf).flatMap((evidence) => analyseThread(evidence, options).findings);
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
});

/** Sentences quote names between other words; what they are made of is compared instead. */
const sentences: ReadonlySet<string> = new Set(['because', 'question', 'reason']);

/** The value under new names, without its sentences; lists and Maps sorted, since an order by name changes with them. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return sorted(value.map((item) => withNames(item, names)));
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<unknown, unknown>)];
    return sorted(entries.map(([key, item]) => [withNames(key, names), withNames(item, names)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !sentences.has(key))
      .map(([key, item]) => [key, withNames(item, names)]),
  );
}

function sorted(items: readonly unknown[]): unknown[] {
  return items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, item]) => item);
}
