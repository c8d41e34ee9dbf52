import { describe, expect, test } from 'vitest';
import type { StoredValue, ThreadRows } from '#analysis/model/checkpoint.ts';
import type { Finding } from '#analysis/model/finding.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { prepareAnalysis } from '#analysis/prepare.ts';
import { recordedSets } from './testing/expected.ts';
import { fixture, readAll } from './testing/read-all.ts';
import { wantsSecondLook, wantsValue } from './wanted-values.ts';

/** Reports of a set with every stored value and with the wanted ones only, thread by thread. */
async function bothReports(set: string): Promise<(readonly [ThreadReport, ThreadReport, ThreadRows])[]> {
  const source = { kind: 'file', path: fixture(`${set}.sql.gz`) } as const;
  const analyse = await prepareAnalysis({ rules: [] });
  const whole = await readAll(source);
  const filtered = whole.map(withoutUnwanted);
  const pairs: (readonly [ThreadReport, ThreadReport, ThreadRows])[] = [];
  for (const [at, rows] of whole.entries()) {
    const few = filtered[at];
    if (few === undefined) throw new Error('the filter lost a thread');
    const report = await analyse({ rows, log: null, runs: null });
    pairs.push([report, await analyse({ rows: few, log: null, runs: null }), few]);
  }
  return pairs;
}

function withoutUnwanted(rows: ThreadRows): ThreadRows {
  const filter = <Row extends { readonly channel: string; readonly value: StoredValue }>(row: Row): Row =>
    row.value.bytes === null || wantsValue(row.channel)
      ? row
      : { ...row, value: { type: row.value.type, bytes: null, omitted: true } };
  return {
    ...rows,
    blobs: rows.blobs?.map(filter) ?? null,
    writes: rows.writes?.map(filter) ?? null,
  };
}

function withoutVictims(finding: Finding): unknown {
  if (finding.kind !== 'shared-blob') return finding;
  const { pairs } = finding.details as { pairs: readonly Record<string, unknown>[] };
  return { ...finding, because: '', details: { pairs: pairs.map((pair) => ({ ...pair, survivor: '' })) } };
}

describe('reports made without unwanted values', () => {
  test.each(recordedSets)('equal those made with all bytes of %s', async (set) => {
    for (const [whole, few] of await bothReports(set)) {
      if (wantsSecondLook(few)) {
        const strip = (report: ThreadReport): unknown => ({
          ...report,
          findings: report.findings.map(withoutVictims),
        });
        expect(strip(few)).toEqual(strip(whole));
      } else expect(few).toEqual(whole);
    }
  });

  test('leave most values unread, and ask for all of them only where branches share a blob', async () => {
    let read = 0;
    let omitted = 0;
    let secondLooks = 0;
    let threads = 0;
    let changed = 0;
    for (const set of recordedSets) {
      for (const [whole, few, { blobs, writes }] of await bothReports(set)) {
        threads += 1;
        if (wantsSecondLook(few)) secondLooks += 1;
        if (JSON.stringify(whole.findings) !== JSON.stringify(few.findings)) changed += 1;
        for (const { value } of [...(blobs ?? []), ...(writes ?? [])]) {
          if (value.omitted === true) omitted += 1;
          else if (value.bytes !== null) read += 1;
        }
      }
    }
    expect(omitted).toBeGreaterThan(read);
    expect(secondLooks).toBeLessThan(threads / 2);
    // Without this the second look would be needless.
    expect(changed).toBeGreaterThan(0);
  });

  test.each(['__pregel_tasks', '__error__', '__resume__', 'join:a+b:c', 'branch:to:x'])(
    'need the values of %s',
    (channel) => {
      expect(wantsValue(channel)).toBe(true);
    },
  );

  test.each(['messages', '__start__', '__interrupt__', 'joined', 'branch:a:cond:b', 'x__error__'])(
    'do not need the values of %s',
    (channel) => {
      expect(wantsValue(channel)).toBe(false);
    },
  );
});
