/** The services of one series: started once each, whatever the number of arms that need them. */
import { invariant } from '#analysis/model/bug.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { OutcomeValue } from '#analysis/model/trial.ts';
import type { Arm, ServiceFaults, ServiceMoment } from '#trials/scenario.ts';
import { loadService } from '../services/registry.ts';
import type { RunningService, ServiceContext } from '../services/service.ts';

/** See the file's head. */
export class ServiceSet {
  readonly #running: ReadonlyMap<string, RunningService>;

  private constructor(running: ReadonlyMap<string, RunningService>) {
    this.#running = running;
  }

  /** Starts what the arms need; what was started is left to the releasers, also when another fails. */
  static async start(arms: readonly Arm[], context: ServiceContext): Promise<ServiceSet> {
    const names = [...new Set(arms.flatMap(({ services }) => services))];
    const running = await Promise.all(
      names.map(async (name) => [name, await (await loadService(name))(context)] as const),
    );
    return new ServiceSet(new Map(running));
  }

  /** Addresses by name. */
  get addresses(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#running].map(([name, { address }]) => [name, address]));
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

  /** Stores what each recorded. */
  async store(): Promise<void> {
    await Promise.all([...this.#running.values()].map(async (service) => service.store()));
  }
}
