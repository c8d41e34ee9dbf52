/** A small series on the embedded server, as a user runs it: what it prints, stores, leaves, and what the audit says. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveClasses } from '#analysis/disconnect/leave-class.ts';
import { Workplace, type Ended } from './testing/program.ts';

interface AuditJson {
  readonly verdict: string;
  readonly totals: {
    readonly threads: number;
    readonly undeclaredForks: number;
    readonly findings: Record<string, number>;
  };
  readonly threads: readonly {
    readonly thread: string;
    readonly log: Record<string, number>;
    readonly findings: readonly { readonly kind: string; readonly because: string }[];
    readonly namespaces: readonly {
      readonly roots: readonly string[];
      readonly executions: { readonly tree: Record<string, number>; readonly head: Record<string, number> };
      readonly hidden: Record<string, number>;
      readonly forks: readonly { readonly verdict: string; readonly class: string }[];
    }[];
  }[];
}

interface SeriesJson {
  readonly format: string;
  readonly phase: string;
  readonly arms: readonly [{ readonly completed: number; readonly aborted: number; readonly trials: number }];
}

interface Arm {
  readonly arm: string;
  readonly outcomes: readonly {
    readonly key: string;
    readonly values: readonly { readonly value: unknown }[];
  }[];
  readonly overlapped: unknown;
}

function armsOf(out: string): readonly Arm[] {
  const file = join(out, 'latest', 'series.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly arms: readonly Arm[] }).arms;
}

/** The values that an outcome had in an arm. */
function valuesOf(arm: Arm | undefined, key: string): readonly unknown[] {
  return (arm?.outcomes.find((outcome) => outcome.key === key)?.values ?? []).map(({ value }) => value);
}

const nodes = ['plan', 'charge', 'notify', 'finish'];
let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

async function audit(folder: string): Promise<AuditJson> {
  const { stdout, stderr } = await place.run('audit', folder, '--format', 'json', '--all-threads');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as AuditJson;
}

describe('a series of double-post', () => {
  let ended: Ended;
  let folder: string;
  beforeAll(async () => {
    ended = await place.run('race', '-n', '4', '--parallel', '2', '--out', place.out, '--format', 'json');
    folder = join(place.out, 'latest');
  });

  it('ends with exit code 1, all trials completed, and a series file that is analysed', () => {
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(1);
    const series = JSON.parse(ended.stdout) as SeriesJson;
    expect(series).toMatchObject({ format: 'forkscope-series/1', phase: 'analysed' });
    expect(series.arms[0]).toMatchObject({ trials: 4, completed: 4, aborted: 0 });
    expect(JSON.parse(readFileSync(join(folder, 'series.json'), 'utf8'))).toEqual(series);
  });

  it('forks every thread in a race, and what ran on the tree is what the head shows and what it hides', async () => {
    const report = await audit(folder);
    expect(report.totals.threads).toBe(4);
    expect(report.totals.undeclaredForks).toBe(4);
    for (const { namespaces } of report.threads) {
      const [root] = namespaces;
      expect(root?.forks.map(({ verdict }) => verdict)).toEqual(['race']);
      for (const node of nodes) {
        expect((root?.executions.head[node] ?? 0) + (root?.hidden[node] ?? 0)).toBe(
          root?.executions.tree[node],
        );
      }
    }
  });

  it('finds every logged effect on an edge or names it a zombie, in both instruments', async () => {
    for (const { log, namespaces, findings } of (await audit(folder)).threads) {
      const zombies = findings.filter(({ kind }) => kind === 'zombie-effect').length;
      const tree = nodes.reduce((sum, node) => sum + (namespaces[0]?.executions.tree[node] ?? 0), 0);
      expect(nodes.reduce((sum, node) => sum + (log[node] ?? 0), 0)).toBe(tree + zombies);
    }
    const lines = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n').sort();
    const byWorker = (line: string) => {
      const { worker, seq } = JSON.parse(line) as { worker: string; seq: number };
      return `${worker} ${seq}`;
    };
    expect(lines('effects-table.jsonl').map(byWorker).sort()).toEqual(
      lines('effects.jsonl').map(byWorker).sort(),
    );
  });

  it.each([
    ['first', (lines: readonly string[]) => lines.slice(1)],
    ['middle', (lines: readonly string[]) => lines.toSpliced(Math.floor(lines.length / 2), 1)],
    ['last', (lines: readonly string[]) => lines.slice(0, -1)],
  ])('calls a log without its %s line lossy, and no run that began mid-graph', async (which, without) => {
    const copy = join(place.folder, `without-${which}`);
    cpSync(folder, copy, { recursive: true, dereference: true });
    const file = join(copy, 'effects.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    writeFileSync(file, `${without(lines).join('\n')}\n`);
    const { totals, threads } = await audit(copy);
    expect(totals.findings['unlogged-execution'] ?? 0).toBe(zombieWasCut(lines, without) ? 0 : 1);
    expect(totals.findings['mid-graph-start']).toBeUndefined();
    const violations = threads.flatMap(({ findings }) =>
      findings.filter(({ kind }) => kind === 'count-violation'),
    );
    for (const { because } of violations) expect(because).toMatch(/lost/);
    // Without the second instrument, the numbers alone must still show the loss.
    writeFileSync(join(copy, 'effects-table.jsonl'), `${without(lines).join('\n')}\n`);
    expect((await audit(copy)).totals.findings['mid-graph-start']).toBeUndefined();
  });

  it('tells the same outcome as a table, with the rules and the next commands', async () => {
    const { stdout, code } = await place.run('audit', folder);
    expect(code).toBe(1);
    expect(stdout).toContain('undeclared-fork');
    expect(stdout).toMatch(/^invalid: /);
  });

  it('leaves no process and no temporary file', async () => {
    expect(await place.leftovers()).toEqual([]);
    expect(existsSync(join(folder, 'rows.jsonl'))).toBe(true);
  });
});

/** A line whose effect no edge commits (the zombie's) leaves no unlogged execution behind when it is cut. */
function zombieWasCut(
  lines: readonly string[],
  without: (lines: readonly string[]) => readonly string[],
): boolean {
  const kept = new Set(without(lines));
  const [cut] = lines.filter((line) => !kept.has(line));
  const { node, run } = JSON.parse(cut ?? '{}') as { node?: string; run?: string };
  return node === 'notify' && run?.endsWith('/first') === true;
}

describe('the other scenarios', () => {
  it('serial: no fork, no finding but the zombie, and a sentence about what no fork proves', async () => {
    const { stdout, code } = await place.run(
      'race',
      'serial',
      '-n',
      '3',
      '--workers',
      '2',
      '--out',
      place.out,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('No trial of 3 forked. That proves no absence');
    const { totals } = await audit(join(place.out, 'latest'));
    expect(totals.undeclaredForks).toBe(0);
    expect(Object.keys(totals.findings).filter((kind) => kind !== 'zombie-effect')).toEqual([]);
  });

  it.each(['sync', 'exit'])(
    'fresh-thread with durability %s: one fork a thread, named a race',
    async (durability) => {
      const args = [
        'race',
        'fresh-thread',
        '-n',
        '2',
        '--durability',
        durability,
        '--workers',
        '2',
        '--out',
        place.out,
      ];
      expect((await place.run(...args)).code).toBe(1);
      const { threads } = await audit(join(place.out, 'latest'));
      for (const { namespaces } of threads) {
        const [fork] = namespaces[0]?.forks ?? [];
        expect(fork?.verdict).toBe('race');
        // Which of the two is natural timing: whether the second request read before the first had stored its input.
        expect(['two-roots', 'input-during-run']).toContain(fork?.class);
        expect(namespaces[0]?.roots).toHaveLength(fork?.class === 'two-roots' ? 2 : 1);
      }
    },
  );

  it('late-put: every thread shows a race', async () => {
    expect((await place.run('race', 'late-put', '-n', '2', '--workers', '2', '--out', place.out)).code).toBe(
      1,
    );
    expect((await audit(join(place.out, 'latest'))).totals.undeclaredForks).toBeGreaterThanOrEqual(2);
  });

  it('resume-race and double-resume: a fork runs the rest twice and is a double resume, one request does neither', async () => {
    for (const [scenario, node] of [
      ['resume-race', 'finish'],
      ['double-resume', 'charge'],
    ] as const) {
      const args = ['race', scenario, '--arms', 'two,one', '-n', '2', '--workers', '2', '--out', place.out];
      expect([0, 1]).toContain((await place.run(...args)).code);
      const [two, one] = armsOf(place.out);
      // Whether the two meet is natural timing; what they leave if they do is not.
      const forks = valuesOf(two, 'undeclaredForks').map(Number).sort();
      const executed = valuesOf(two, `tree.${node}`).map(Number).sort();
      expect(executed).toEqual(forks.map((count) => 1 + count));
      for (const kind of valuesOf(two, 'class'))
        expect(['double-resume', 'late-worker', 'none']).toContain(kind);
      expect([valuesOf(one, `tree.${node}`), valuesOf(one, 'forks')]).toEqual([[1], [0]]);
    }
  });

  it('regenerate: one after the other is a declared fork, at once is a race', async () => {
    const args = [
      'race',
      'regenerate',
      '--arms',
      'again,edit-at-once',
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
    ];
    expect([0, 1]).toContain((await place.run(...args)).code);
    const [again, atOnce] = armsOf(place.out);
    expect([valuesOf(again, 'forks'), valuesOf(again, 'undeclaredForks'), again?.overlapped]).toEqual([
      [1],
      [0],
      null,
    ]);
    // Whether the two met is natural timing; that they did makes the fork undeclared.
    const met = (atOnce?.overlapped as { readonly count: number }).count;
    expect(valuesOf(atOnce, 'undeclaredForks').map(Number).sort()).toEqual(
      met === 2 ? [1] : met === 0 ? [0] : [0, 1],
    );
  });

  it('undeclared-key: the key that the schema lacks is lost, and no other is', async () => {
    expect(
      (await place.run('race', 'undeclared-key', '-n', '2', '--workers', '2', '--out', place.out)).code,
    ).toBe(0);
    const [undeclared, declared] = armsOf(place.out);
    expect(valuesOf(undeclared, 'lostKeys.charge')).toEqual(['paymentReference']);
    expect([valuesOf(undeclared, 'lostKeys'), valuesOf(declared, 'lostKeys')]).toEqual([[1], [0]]);
  });

  it('remedies: a lock never forks, also under the triggers that break its mutants, and a key never charges again', async () => {
    const arms = [
      'none',
      'lock-wait',
      'lease',
      'idempotency-key',
      'in-memory-busy',
      'lock-wait@saver-with-two-connections',
      'saver-pool-lock@saver-with-two-connections',
      'lock-reject@two-on-one-worker-then-one',
      'session-lock-leak@two-on-one-worker-then-one',
    ];
    const args = [
      'race',
      'double-post',
      '--arms',
      arms.join(','),
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
    ];
    const { stdout, code } = await place.run(...args);
    expect(code).toBe(1);
    expect(stdout).toContain('trigger (forced): saver with two connections');
    const found = new Map(armsOf(place.out).map((arm) => [arm.arm, arm]));
    for (const arm of arms.filter((name) => name.startsWith('lock-') || name === 'lease'))
      expect([arm, valuesOf(found.get(arm), 'undeclaredForks')]).toEqual([arm, [0]]);
    expect(valuesOf(found.get('idempotency-key'), 'repeatedCharges')).toEqual([0]);
    // Both waited for connections that the other had.
    expect(valuesOf(found.get('saver-pool-lock@saver-with-two-connections'), 'refused')).toEqual([1]);
    expect(valuesOf(found.get('lock-reject@two-on-one-worker-then-one'), 'refused.late')).toEqual([]);
  });

  it('disconnect: who does not hear of it completes, who aborts obedient nodes stops, and each cell is classed', async () => {
    const arms = [
      'for-await-async',
      'detached-exit',
      'invoke-sync',
      'abort-obeyed-async',
      'break-on-close-sync',
    ];
    const args = [
      'race',
      'disconnect',
      '--arms',
      arms.join(','),
      '-n',
      '2',
      '--workers',
      '2',
      '--out',
      place.out,
    ];
    const { stdout, stderr } = await place.run(...args);
    expect(stderr).toBe('');
    expect(stdout).toContain('handler shape');
    const found = armsOf(place.out);
    const classes = new Map(found.map((arm) => [arm.arm, valuesOf(arm, 'disconnect')]));
    for (const arm of ['for-await-async', 'detached-exit', 'invoke-sync'])
      expect([arm, classes.get(arm)]).toEqual([arm, ['completed']]);
    expect(classes.get('abort-obeyed-async')).toEqual(['stopped']);
    for (const [kind] of classes.values()) expect(leaveClasses).toContain(kind);
  });

  it('-n auto ends when the interval is narrow, says so, and refuses an outcome that no trial has', async () => {
    const auto = ['race', 'fresh-thread', '-n', 'auto', '--max', '3', '--workers', '2', '--out', place.out];
    const [wide, misspelt] = await Promise.all([
      place.run(...auto, '--width', '0.9'),
      place.run(...auto, '--until', 'fork'),
    ]);
    expect(wide.code).toBe(1);
    expect(wide.stdout).toMatch(/undeclaredForks > 0 in 3 of 3, .* ended because/);
    expect(wide.stdout).toContain('confidence sequence');
    expect(misspelt.code).toBe(70);
    expect(misspelt.stderr).toContain('no trial has the outcome fork');
  });

  it('compare pools series that are alike, and refuses those that are not and one that is named twice', async () => {
    const args = ['race', 'serial', '-n', '2', '--workers', '2', '--out', place.out];
    await place.run(...args);
    await place.run(...args, '--seed', '2');
    const [older, newer] = readdirSync(join(place.out, 'serial'))
      .filter((name) => name !== 'latest')
      .sort()
      .slice(-2)
      .map((name) => join(place.out, 'serial', name));
    const [pooled, unlike, twice] = await Promise.all([
      place.run('compare', older ?? '', newer ?? '', '--format', 'json'),
      place.run('compare', newer ?? '', join(place.out, 'fresh-thread', 'latest')),
      place.run('compare', newer ?? '', join(place.out, 'serial', 'latest')),
    ]);
    expect(pooled.stderr).toBe('');
    expect(JSON.parse(pooled.stdout)).toMatchObject({
      format: 'forkscope-compare/1',
      unlike: [],
      rows: [{ arm: 'none', completed: 4 }],
    });
    expect([unlike.code, twice.code]).toEqual([64, 64]);
    expect(unlike.stderr).toContain('scenario (serial | fresh-thread)');
    expect(twice.stderr).toContain('are one series');
  });

  it('--same-worker sends a whole stage to one worker', async () => {
    await place.run('race', 'fresh-thread', '-n', '2', '--same-worker', '--workers', '2', '--out', place.out);
    const served = new Map<string, Set<number>>();
    for (const line of place.historyLines().filter((text) => text.includes('"invoke"'))) {
      const { thread, slot } = JSON.parse(line) as { thread: string; slot: number };
      served.set(thread, (served.get(thread) ?? new Set()).add(slot));
    }
    expect([...served.values()].map(({ size }) => size)).toEqual([1, 1]);
  });
});
