/**
 * nginx in front of the workers of a series: the settings that are compared stand side by side, each under a path of its
 * own, and the worker is named by its port. What is not named here is nginx's default.
 * *Source*: nginx.org/en/docs/http/ngx_http_proxy_module.html.
 */
import type { ReverseProxySetting } from '#trials/scenario.ts';

const http11 = 'proxy_http_version 1.1';
const directives: Readonly<Record<ReverseProxySetting, readonly string[]>> = {
  // Buffering on, and HTTP/1.0 to the worker, whose answer then ends with its connection and not with a last chunk.
  defaults: [],
  'http-1.1': [http11],
  'buffering-off': [http11, 'proxy_buffering off'],
  'ignore-abort': [http11, 'proxy_buffering off', 'proxy_ignore_client_abort on'],
  'defaults-ignore-abort': ['proxy_ignore_client_abort on'],
};

/** The address that leads through nginx to a worker. */
export function addressThrough(nginx: string, setting: ReverseProxySetting, worker: string): string {
  return `${nginx}/${setting}/${new URL(worker).port}`;
}

/** The configuration; its paths are relative to the folder that nginx is given as its prefix. */
export function nginxConfig(port: number, tempDirectives: readonly string[]): string {
  const locations = Object.entries(directives).map(([setting, lines]) => [
    // Workers listen on loopback, so nothing else can be reached through it.
    `    location ~ ^/${setting}/([0-9]+)(/.*)$ {`,
    ...lines.map((line) => `      ${line};`),
    '      proxy_read_timeout 1h;',
    '      proxy_pass http://127.0.0.1:$1$2;',
    '    }',
  ]);
  return [
    // One process, so that one signal ends it.
    'daemon off;',
    'master_process off;',
    'pid nginx.pid;',
    'error_log stderr warn;',
    'events { worker_connections 4096; }',
    'http {',
    '  access_log off;',
    ...tempDirectives.map((directive) => `  ${directive} ${directive};`),
    '  server {',
    `    listen 127.0.0.1:${port} backlog=1024;`,
    ...locations.flat(),
    '  }',
    '}',
    '',
  ].join('\n');
}
