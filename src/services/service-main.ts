/**
 * The frame of a service's process: it asks its series for its configuration, serves, and ends when the series ends
 * (the channel closes) or asks it to. The terminal's Ctrl-C goes to the whole group; the series turns it into an orderly
 * end.
 */
import type { z } from 'zod';
import { errorText } from '../failure/error-text.ts';
import type { ServiceMessage } from './service-process.ts';

/**
 * Runs the frame.
 *
 * @param start begins to serve and gives the port; what it fails with ends the process and is told, as is what it hands to `fail` later
 */
export function serveAsService<Config>(
  schema: z.ZodType<Config>,
  start: (config: Config, fail: (error: unknown) => void) => Promise<number>,
): void {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => {
    process.exit(0);
  });
  process.on('message', (message: unknown) => {
    const config = schema.safeParse(message);
    if (!config.success) return;
    start(config.data, fail).then((port) => {
      tell({ kind: 'listening', port });
    }, fail);
  });
  tell({ kind: 'waiting' });
}

function tell(message: ServiceMessage): void {
  process.send?.(message);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const message: ServiceMessage = { kind: 'broken', what: errorText(error) };
  process.send?.(message, () => {
    process.exit(1);
  });
}
