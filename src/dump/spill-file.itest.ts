import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { builtFile } from '../package-root.ts';

test('a process that is killed while rows are spilled leaves nothing in the temporary folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forkscope-spill-'));
  try {
    const script = `
      const { SpillFile } = await import(${JSON.stringify(pathToFileURL(builtFile('src/dump/shards/spill-file')).href)});
      const file = new SpillFile();
      file.append(Buffer.alloc(1 << 20));
      process.stdout.write(String(file.length));
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: folder, NODE_OPTIONS: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [written] = (await once(child.stdout, 'data')) as [Buffer];
    expect(written.toString()).toBe(String(1 << 20));
    child.kill('SIGKILL');
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
