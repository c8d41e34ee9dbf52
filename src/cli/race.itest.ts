/** A small series on the embedded server, as a user runs it: what it prints, stores, leaves, and what the audit says. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workplace, type Ended } from './testing/program.ts';
import { audit } from './testing/race-series.ts';

interface SeriesJson {
  readonly format: string;
  readonly phase: string;
  readonly arms: readonly [{ readonly completed: number; readonly aborted: number; readonly trials: number }];
}

const nodes = ['plan', 'charge', 'notify', 'finish'];
let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
});

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
    const report = await audit(place, folder);
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
    for (const { log, namespaces, findings } of (await audit(place, folder)).threads) {
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
    const { totals, threads } = await audit(place, copy);
    expect(totals.findings['unlogged-execution'] ?? 0).toBe(zombieWasCut(lines, without) ? 0 : 1);
    expect(totals.findings['mid-graph-start']).toBeUndefined();
    const violations = threads.flatMap(({ findings }) =>
      findings.filter(({ kind }) => kind === 'count-violation'),
    );
    for (const { because } of violations) expect(because).toMatch(/lost/);
    // Without the second instrument, the numbers alone must still show the loss.
    writeFileSync(join(copy, 'effects-table.jsonl'), `${without(lines).join('\n')}\n`);
    expect((await audit(place, copy)).totals.findings['mid-graph-start']).toBeUndefined();
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
