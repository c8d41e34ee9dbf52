/** `forkscope audit` where names matter: hostile ones must reach no terminal, and shared output must hold none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '#src/dump/testing/read-all.ts';
import { jsonLines } from '#src/source/testing/log-files.ts';
import { AuditPlace } from './testing/audit-place.ts';
import type { AuditReport } from './testing/audit-report.ts';
import { checkpointLine } from './testing/checkpoint-line.ts';

let audit: AuditPlace;
beforeAll(async () => {
  audit = await AuditPlace.open();
});
afterAll(async () => {
  await audit.close();
});

describe('names that are hostile', () => {
  const long = 'x'.repeat(60_000);
  const names = [
    '\u001b]0;owned\u0007\u001b[2J',
    '__proto__',
    'constructor',
    'two\nlines\r',
    '\u{202e}back',
    '\u{2028}',
    long,
  ];
  const rows = (): string =>
    audit.files.write(
      'hostile.jsonl',
      names
        .flatMap((name, at) => [
          checkpointLine(name, 'c1', null, {}, -1),
          checkpointLine(name, 'c2', 'c1', { [`${name}${at}`]: { 'branch:to:x': 1 } }, 0),
          checkpointLine(name, 'c3', 'c1', { [`${name}${at}`]: { 'branch:to:x': 1 } }, 0),
        ])
        .join(''),
    );
  const log = (): string =>
    audit.files.write(
      'hostile-log.jsonl',
      jsonLines(names.map((thread, at) => ({ ts: 1796074626, thread, node: `${thread}${at}` }))),
    );

  test('are exact in JSON', async () => {
    const { threads } = await audit.json(rows(), '--effects', log());
    expect(threads.map(({ thread }) => thread).sort()).toEqual(names.toSorted());
    for (const { thread, namespaces, log: logged } of threads) {
      const node = `${thread}${names.indexOf(thread)}`;
      expect(namespaces.map(({ executions }) => Object.entries(executions.tree))).toEqual([[[node, 2]]]);
      expect(Object.entries(logged ?? {})).toEqual([[node, 1]]);
    }
  });

  test('reach the terminal escaped and shortened only', async () => {
    const { stdout, stderr, code } = await audit.run(rows(), '--effects', log());
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/u);
    expect(stdout).toContain('\\u{1b}');
    expect(stdout.length + stderr.length).toBeLessThan(40_000);
  });
});

describe('anonymized', () => {
  test.each(['table', 'json', 'ndjson'])('output as %s holds no name of the source', async (format) => {
    const args = ['--anonymize', '--all-threads', '--rule', 'plan>=charge+1', '--format', format];
    const { stdout, stderr } = await audit.run(
      fixture('race-js.sql.gz'),
      '--effects',
      audit.logOf('race-js'),
      ...args,
    );
    const words =
      /race-\d|1f1ed0|\b(?:plan|charge|notify|finish|receipts|steps|first)\b|[0-9a-f]{8}-[0-9a-f]{4}/;
    expect(words.exec(stdout + stderr)).toBeNull();
    // A table breaks the sentence over lines.
    expect(stdout).toMatch(/the[\s│]+rule[\s│]+n1[\s│]+>=[\s│]+n2[\s│]+\+[\s│]+1[\s│]+allows/);
  });

  test('reports count what the plain ones count', async () => {
    const args = [fixture('zoo-js.sql.gz'), '--effects', audit.logOf('zoo-js')];
    const [plain, neutral] = await Promise.all([audit.json(...args), audit.json(...args, '--anonymize')]);
    const shape = ({ threads, totals, verdict }: AuditReport): unknown => ({
      verdict,
      findings: totals.findings,
      threads: threads.map((thread) => [
        thread.verdict,
        thread.status,
        thread.findings.map(({ kind, severity }) => [kind, severity]),
        thread.namespaces.map(({ executions }) => Object.values(executions.tree).sort()),
      ]),
    });
    expect(shape(neutral)).toEqual(shape(plain));
  });
});
