/**
 * Services that are loaded before they are needed. Loading LangGraph keeps a processor busy for about a second, and would
 * lengthen the windows of runs beside it: so several are loaded together while no run is at work, and then used one by one.
 */
import type { ServiceProcess } from './service-process.ts';

/** See the file's head. */
export class ServiceSupply {
  /** How many are loaded at a time. */
  readonly together: number;
  readonly #start: (number: number) => ServiceProcess;
  readonly #loaded: ServiceProcess[] = [];
  #number = 0;

  constructor(together: number, start: (number: number) => ServiceProcess) {
    this.together = together;
    this.#start = start;
  }

  /** A loaded service that nobody has used. Call it while no run is at work. */
  async take(): Promise<ServiceProcess> {
    if (this.#loaded.length === 0) {
      const started = Array.from({ length: this.together }, () => this.#start(++this.#number));
      await Promise.all(started.map(({ loaded }) => loaded));
      this.#loaded.push(...started);
    }
    const service = this.#loaded.shift();
    if (service === undefined) throw new RangeError('a supply starts at least one service at a time');
    return service;
  }
}
