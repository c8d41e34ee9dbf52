/**
 * Where the package's built files are. Child processes and pool tasks run built JavaScript only, so code that runs
 * from TypeScript sources (the tests) starts the same files that users start.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from './failure/operator-error.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** The folder that holds package.json: this file is at src/ or at dist/src/. */
export const packageRoot = existsSync(join(here, '..', 'package.json'))
  ? join(here, '..')
  : join(here, '..', '..');

/** The built file of a source module, e.g. `src/worker/main`. Fails when the package was not built. */
export function builtFile(module: string): string {
  const path = join(packageRoot, 'dist', `${module}.js`);
  if (!existsSync(path)) {
    throw new OperatorError({
      happened: 'a built file is missing',
      place: path,
      remedy: 'Build the package first: npm run build.',
    });
  }
  return path;
}
