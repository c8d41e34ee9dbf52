/** Every handler shape by name, for arms to choose from. Each is imported when a request needs it. */
import type { Handler } from './handler.ts';

const handlers: ReadonlyMap<string, () => Promise<Handler>> = new Map<string, () => Promise<Handler>>([
  ['abort-signal', async () => (await import('./abort-signal.ts')).streamWithAbortSignal],
]);

/** The names there are. */
export const handlerNames: readonly string[] = [...handlers.keys()];

/** Loads a handler; null when there is none of that name. */
export async function loadHandler(name: string): Promise<Handler | null> {
  return (await handlers.get(name)?.()) ?? null;
}
