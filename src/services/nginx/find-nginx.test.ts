import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNginx, nginxBuild } from './find-nginx.ts';

let folder: string;
const build =
  '#!/bin/sh\necho "nginx version: nginx/9.9" >&2\necho "configure arguments: --without-http_uwsgi_module" >&2\n';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forkscope-nginx-'));
  writeFileSync(join(folder, 'nginx'), build);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('nginx', () => {
  it('is found where the path leads, else where systems install it, and only if it can be run', () => {
    expect(findNginx(`${delimiter}/nowhere${delimiter}`, [])).toBeNull();
    chmodSync(join(folder, 'nginx'), 0o755);
    expect(findNginx(`/nowhere${delimiter}${folder}`, [])).toBe(join(folder, 'nginx'));
    expect(findNginx('', ['/nowhere', folder])).toBe(join(folder, 'nginx'));
  });

  it('is told temp folders of the modules that it was built with, and of no others', async () => {
    const { version, tempDirectives } = await nginxBuild(join(folder, 'nginx'));
    expect(version).toBe('nginx/9.9');
    expect(tempDirectives).toEqual(
      ['client_body', 'proxy', 'fastcgi', 'scgi'].map((name) => `${name}_temp_path`),
    );
  });
});
