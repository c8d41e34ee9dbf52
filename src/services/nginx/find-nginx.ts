/** Where nginx is, and which of its modules want a folder to write to: what one build has, another refuses to be told. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';

/** Debian installs it there, where only root has it on the PATH. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

/** The first nginx on the path, or where systems install it; null: there is none. */
export function findNginx(path = process.env['PATH'] ?? '', folders = systemFolders): string | null {
  for (const folder of [...path.split(delimiter), ...folders]) {
    if (folder === '') continue;
    const file = join(folder, 'nginx');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not there.
    }
  }
  return null;
}

/** What people are told where there is none. */
export const nginxRemedy = 'Install it (Debian: apt-get install nginx-light; macOS: brew install nginx).';

/** Version and the directives that name a temp folder. *Fails* with what running it fails with. */
export async function nginxBuild(file: string): Promise<{
  readonly version: string;
  readonly tempDirectives: readonly string[];
}> {
  const { stderr } = await execa(file, ['-V']);
  const version = /nginx version: (\S+)/.exec(stderr)?.[1] ?? 'nginx';
  const modules = ['fastcgi', 'uwsgi', 'scgi'].filter(
    (name) => !stderr.includes(`--without-http_${name}_module`),
  );
  return {
    version,
    tempDirectives: ['client_body', 'proxy', ...modules].map((name) => `${name}_temp_path`),
  };
}
