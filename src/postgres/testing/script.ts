/**
 * For tests: runs a piece of a program in a process of its own, which a test can kill. It runs the built files, as the
 * real program does. It dies with the process that runs the tests.
 */
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { packageRoot } from '#src/package-root.ts';

/** How a script runs. */
export interface ScriptOptions {
  /** Where the package is installed; default: here. */
  readonly root?: string;
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a script ended. */
export interface ScriptEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A script that runs. */
export interface Script {
  kill(signal: NodeJS.Signals): void;
  /** The rest of the first line it printed that begins with `word` and a space; rejects when it ends without. */
  heard(word: string): Promise<string>;
  readonly ended: Promise<ScriptEnd>;
}

/** A script that runs longer than this is killed, so that no test leaves one. */
const longestMs = 60_000;

/**
 * Starts `body`, the statements of a module in which `postgres(name)` imports a built file of src/postgres. Its
 * environment holds PATH, TMPDIR and what `options.env` says, so no HOME.
 */
export function startScript(body: string, options: ScriptOptions = {}): Script {
  const root = options.root ?? packageRoot;
  const folder = pathToFileURL(path.join(root, 'dist/src/postgres')).href;
  const code = `const postgres = (name) => import(\`${folder}/\${name}.js\`);\n${body}`;
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const child = execa(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    reject: false,
    extendEnv: false,
    env: { PATH, TMPDIR, ...options.env },
    timeout: longestMs,
    killSignal: 'SIGKILL',
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const ended = child.then(({ exitCode, stdout, stderr }) => ({
    exitCode: exitCode ?? null,
    stdout,
    stderr,
  }));
  return { kill: (signal) => void child.kill(signal), heard: listener(child.stdout, ended), ended };
}

function listener(output: Readable, ended: Promise<ScriptEnd>): Script['heard'] {
  const lines: string[] = [];
  const looking = new Set<() => void>();
  createInterface({ input: output }).on('line', (line) => {
    lines.push(line);
    for (const look of looking) look();
  });
  return (word) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const line = lines.find((said) => said.startsWith(`${word} `));
        if (line === undefined) return;
        looking.delete(look);
        resolve(line.slice(word.length + 1));
      };
      looking.add(look);
      look();
      void ended.then(({ stderr }) => {
        reject(new Error(`the script ended without saying ${word}: ${stderr}`));
      });
    });
}
