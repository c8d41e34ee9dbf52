/** The services that are shipped to be raced: what can be said of them without running them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../package-root.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const textOf = (path: string) => readFileSync(join(packageRoot, 'examples', path), 'utf8');

/** The names between two texts of a source, in their order. */
function namesIn(text: string, from: string, to: string, name: RegExp): readonly string[] {
  const start = text.indexOf(from);
  const body = text.slice(start, text.indexOf(to, start));
  return [...body.matchAll(name)].flatMap(([, found]) => found ?? []);
}

describe('the examples of services', () => {
  it('write the same effect log in Python as in Node', () => {
    const node = namesIn(textOf('node-server/server.mjs'), 'const record = {', '};', /^ {6}(\w+)[:,]/gm);
    const python = namesIn(textOf('fastapi/graph.py'), 'line = {', '\n    }', /^ {8}"(\w+)":/gm);
    expect(node).toContain('business_key');
    expect(python).toEqual(node);
  });

  it.skipIf(!hasPython).each(['fastapi/graph.py', 'fastapi/app.py'])('%s is valid Python', (path) => {
    const parse = 'import ast, sys; ast.parse(sys.stdin.read())';
    const { status, stderr } = spawnSync('python3', ['-c', parse], { input: textOf(path) });
    expect([status, stderr.toString()]).toEqual([0, '']);
  });
});
