/** Every service by name, each behind those that it calls, for arms to ask for. Each is imported when an arm of the series needs it. */
import type { StartService } from './service.ts';

const services: ReadonlyMap<string, () => Promise<StartService>> = new Map<
  string,
  () => Promise<StartService>
>([
  ['provider', async () => (await import('./provider/start-provider.ts')).startProvider],
  ['queue', async () => (await import('./queue/start-queue.ts')).startQueue],
  ['nginx', async () => (await import('./nginx/start-nginx.ts')).startNginx],
]);

/** The names there are. */
export const serviceNames: readonly string[] = [...services.keys()];

/** Loads what starts a service. Throws for a name that is not in {@link serviceNames}. */
export async function loadService(name: string): Promise<StartService> {
  const load = services.get(name);
  if (load === undefined) throw new RangeError(`there is no service ${name}`);
  return load();
}
