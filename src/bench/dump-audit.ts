/**
 * The built `forkscope audit` on a dump, as a user runs it: what it took, and whether its answer is right. Easy to get
 * wrong: a fast wrong answer is worth nothing, so every measured audit is held against what the dump was made with.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { OperatorError } from '../failure/operator-error.ts';
import { builtFile } from '../package-root.ts';
import type { DumpFile } from './dump-file.ts';

/** What one audit took. */
export interface AuditCost {
  readonly wallMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  /** The most memory resident at one moment. */
  readonly peakBytes: number;
}

const counts = z.object({ tree: z.number(), head: z.number(), hidden: z.number() });
const auditReport = z.object({
  totals: z.object({
    threads: z.number(),
    checkpoints: z.number(),
    undeclaredForks: z.number(),
    nodes: z.record(z.string(), counts),
  }),
});

/** GNU time, which tells a process's peak memory. */
const gnuTime = '/usr/bin/time';

/**
 * Audits a dump once. `memory` is the setting `--memory`; null: the command's own. *Fails* with OperatorError where
 * GNU time is missing, when the audit fails, or when it finds anything but what was planted.
 */
export async function audited(
  dump: DumpFile,
  folder: string,
  memory: string | null = null,
): Promise<AuditCost> {
  if (!existsSync(gnuTime)) {
    throw new OperatorError({
      happened: 'a program is missing that tells a process’s peak memory',
      place: gnuTime,
      remedy: 'Install GNU time (Debian: apt-get install time).',
    });
  }
  const figures = join(folder, 'time.txt');
  const cli = [builtFile('src/cli/main'), 'audit', dump.path, '--format', 'json'];
  const started = performance.now();
  const { stdout, stderr, exitCode } = await execa(
    gnuTime,
    [
      '-f',
      '%U %S %M',
      '-o',
      figures,
      process.execPath,
      ...cli,
      ...(memory === null ? [] : ['--memory', memory]),
    ],
    { reject: false, maxBuffer: 1 << 30 },
  );
  const wallMs = performance.now() - started;
  // The planted forks make the dump invalid, which is exit code 1.
  if (exitCode !== 1) {
    throw new OperatorError({
      happened: `the audit ended with exit code ${String(exitCode)}: ${stderr.slice(-500)}`,
      place: dump.path,
      expected: 'exit code 1, since the dump holds forks',
      remedy: 'Run the same audit by hand on a dump from `npm run bench -- generate`.',
    });
  }
  checkAnswer(dump, auditReport.parse(JSON.parse(stdout)).totals);
  const [user, system, peakKiB] = (readFileSync(figures, 'utf8').trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  rmSync(figures);
  return { wallMs, cpuMs: ((user ?? 0) + (system ?? 0)) * 1000, peakBytes: (peakKiB ?? 0) * 1024 };
}

/** Whether the built audit has a setting; it is asked by its name with dashes. */
export async function auditKnows(option: string): Promise<boolean> {
  const { stdout } = await execa(process.execPath, [builtFile('src/cli/main'), 'audit', '--help']);
  return stdout.includes(`${option} `);
}

function checkAnswer({ path, summary }: DumpFile, totals: z.infer<typeof auditReport>['totals']): void {
  const right = [
    ['threads', summary.threads, totals.threads],
    ['checkpoints', summary.checkpoints, totals.checkpoints],
    ['undeclared forks', summary.forkedThreads, totals.undeclaredForks],
    ...(['tree', 'head', 'hidden'] as const).flatMap((where) =>
      [...summary.tree.keys()].map(
        (node) =>
          [
            `${where} executions of ${node}`,
            summary[where].get(node) ?? 0,
            totals.nodes[node]?.[where] ?? 0,
          ] as const,
      ),
    ),
  ] as const;
  for (const [what, planted, found] of right) {
    if (planted === found) continue;
    throw new OperatorError({
      happened: `the audit found ${found} ${what} where ${planted} were made`,
      place: path,
      remedy: 'Generate the same dump with `npm run bench -- generate` and look for the difference.',
    });
  }
}
