/** The architecture rules are only worth something if they bite: each is tried on a planted forbidden import. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from './package-root.ts';

const cruiser = join(packageRoot, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const roots = ['analysis', 'trials', 'src'];

interface Cruise {
  readonly status: number | null;
  readonly modules: readonly string[];
  /** `rule file` of every breach. */
  readonly breaches: readonly string[];
}

function cruise(folder: string): Cruise {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...roots],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  expect(stderr).toBe('');
  const result = JSON.parse(stdout) as {
    summary: { error: number; violations: { from: string; rule: { name: string } }[] };
    modules: { source: string }[];
  };
  return {
    status: result.summary.error === 0 ? status : 1,
    modules: result.modules.map(({ source }) => source),
    breaches: result.summary.violations.map(({ rule, from }) => `${rule.name} ${from}`),
  };
}

/** One forbidden import each, and the rule it breaks; null for the far end of a cycle, which is reported once. */
const planted: readonly (readonly [rule: string | null, path: string, text: string])[] = [
  ['analysis-is-the-bottom', 'analysis/reaches-src.ts', "export { plain } from '#src/plain.ts';\n"],
  ['analysis-is-the-bottom', 'analysis/reaches-trials.ts', "export { plain } from '../trials/plain.ts';\n"],
  ['analysis-is-pure', 'analysis/reads-files.ts', "export { readFileSync } from 'node:fs';\n"],
  [
    'analysis-imports-pure-packages',
    'analysis/asks-postgres.ts',
    "import pg from 'pg';\nexport const a = pg;\n",
  ],
  [
    'trials-declare-only',
    'trials/reaches-src.ts',
    "import type { plain } from '#src/plain.ts';\nexport type A = typeof plain;\n",
  ],
  ['trials-do-not-act', 'trials/serves.ts', "export { createServer } from 'node:http';\n"],
  ['only-the-cli-is-a-program', 'src/report/reaches-cli.ts', "export { plain } from '../cli/plain.ts';\n"],
  ['no-unresolvable', 'src/reaches-nothing.ts', "export { gone } from './gone.ts';\n"],
  ['no-cycles', 'src/egg.ts', "import { hen } from './hen.ts';\nexport const egg: unknown = () => hen;\n"],
  [null, 'src/hen.ts', "import { egg } from './egg.ts';\nexport const hen: unknown = () => egg;\n"],
];

describe('the architecture rules', () => {
  let folder: string;
  const plant = (path: string, text: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'forkscope-architecture-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
      copyFileSync(join(packageRoot, file), join(folder, file));
    }
    symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
    for (const root of [...roots, 'src/cli']) plant(`${root}/plain.ts`, 'export const plain = 1;\n');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('pass for files that import nothing, and catch every planted import, each by its rule', () => {
    expect(cruise(folder)).toMatchObject({ status: 0, breaches: [] });
    for (const [, path, text] of planted) plant(path, text);
    const { status, breaches } = cruise(folder);
    expect([...new Set(breaches)].sort()).toEqual(
      planted.flatMap(([rule, path]) => (rule === null ? [] : [`${rule} ${path}`])).sort(),
    );
    expect(status).not.toBe(0);
  });

  it('look at the files of this project, and find no breach', () => {
    const { breaches, modules } = cruise(packageRoot);
    expect(breaches).toEqual([]);
    for (const file of ['analysis/model/checkpoint.ts', 'trials/scenario.ts', 'src/cli/main.ts']) {
      expect(modules).toContain(file);
    }
  });
});
