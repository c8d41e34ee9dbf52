/** The services of one series: started once each, whatever the number of arms that need them. */
import { invariant } from '#analysis/model/bug.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import type { Arm, ReverseProxySetting, ServiceFaults, ServiceMoment } from '#trials/scenario.ts';
import type { OperatorError } from '../failure/operator-error.ts';
import type { DrainAnswer } from '../protocol/run-request.ts';
import { addressThrough } from '../services/nginx/nginx-config.ts';
import { loadService, serviceNames } from '../services/registry.ts';
import type { RunningService, ServiceContext } from '../services/service.ts';

/** See the file's head. */
export class ServiceSet {
  readonly #running: ReadonlyMap<string, RunningService>;

  private constructor(running: ReadonlyMap<string, RunningService>) {
    this.#running = running;
  }

  /** Starts what the arms need; what was started is left to the releasers, also when another fails. */
  static async start(arms: readonly Arm[], context: Omit<ServiceContext, 'services'>): Promise<ServiceSet> {
    const needed = new Set(arms.flatMap(({ services }) => services));
    const running = new Map<string, RunningService>();
    for (const name of serviceNames.filter((known) => needed.has(known))) {
      const start = await loadService(name);
      running.set(name, await start({ ...context, services: addressesOf(running) }));
    }
    return new ServiceSet(running);
  }

  /** Addresses by name. */
  get addresses(): Readonly<Record<string, string>> {
    return addressesOf(this.#running);
  }

  /** Resolves with the reason when one has ended unasked; else never. */
  get died(): Promise<OperatorError> {
    return Promise.race([...this.#running.values()].map(({ died }) => died));
  }

  /** Where a worker is reached behind a reverse proxy; undefined: directly. *Fails* when the proxy does not run. */
  through(setting: ReverseProxySetting | undefined, worker: string): string {
    if (setting === undefined) return worker;
    const nginx = this.#running.get('nginx');
    invariant(nginx !== undefined, 'an arm behind a reverse proxy has it among its services');
    return addressThrough(nginx.address, setting, worker);
  }

  /** What the services of the arm saw of a thread. */
  async outcomesOf(
    arm: Arm,
    thread: ThreadId,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, OutcomeValue>> {
    const seen = await Promise.all(
      arm.services.map(async (name) => [
        ...((await this.#running.get(name)?.outcomesOf(thread, signal)) ?? []),
      ]),
    );
    return new Map(seen.flat());
  }

  /** Tells the arm's services what is to go wrong with a run. */
  async prepare(arm: Arm, run: RunToken, faults: ServiceFaults, signal: AbortSignal): Promise<void> {
    await Promise.all(
      arm.services.map(async (name) => this.#running.get(name)?.prepare?.(run, faults, signal)),
    );
  }

  /** Resolves when a service has come so far with a run. *Fails* when it does not run or tells of no moments. */
  async until({ service, moment }: ServiceMoment, run: RunToken, signal: AbortSignal): Promise<void> {
    const running = this.#running.get(service);
    invariant(running?.until !== undefined, `an arm that waits for ${service} has it among its services`);
    await running.until(run, moment, signal);
  }

  /** Asks those that write the effect log for their account; null for one that does not answer. */
  async drain(
    signal: AbortSignal,
  ): Promise<readonly { readonly worker: string; readonly account: DrainAnswer | null }[]> {
    const accounts = await Promise.all(
      [...this.#running.values()].map(async ({ worker, drain }) =>
        worker === undefined || drain === undefined
          ? []
          : [{ worker, account: await drain(signal).catch(() => null) }],
      ),
    );
    return accounts.flat();
  }

  /** Stores what each recorded. */
  async store(): Promise<void> {
    await Promise.all([...this.#running.values()].map(async (service) => service.store()));
  }
}

function addressesOf(running: ReadonlyMap<string, RunningService>): Readonly<Record<string, string>> {
  return Object.fromEntries([...running].map(([name, { address }]) => [name, address]));
}
