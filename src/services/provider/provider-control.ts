/** What the experiment asks of the provider, which no service may: its faults, its progress and its own account. */
import { Agent, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import type { ProviderCall } from '#analysis/model/provider.ts';
import type { ProviderFaults, ProviderMoment } from '#trials/provider.ts';
import { callsSchema } from './provider-protocol.ts';

/** See the file's head. Every method rejects when the provider does not answer, or `signal` fires. */
export class ProviderControl {
  readonly #address: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(address: string) {
    this.#address = address;
  }

  /** What is to go wrong with the first call of a run. */
  async setFaults(run: string, faults: ProviderFaults, signal: AbortSignal): Promise<void> {
    await this.#ask('PUT', '/faults', signal, { run, faults });
  }

  /** Resolves when a call of the run has come so far, also if that was before. */
  async until(run: string, moment: ProviderMoment, signal: AbortSignal): Promise<void> {
    await this.#ask('GET', `/moments?${new URLSearchParams({ run, moment }).toString()}`, signal);
  }

  /** The provider's own account of a thread. */
  async callsOf(thread: string, signal: AbortSignal): Promise<readonly ProviderCall[]> {
    const query = new URLSearchParams({ thread }).toString();
    return callsSchema.parse(await this.#ask('GET', `/calls?${query}`, signal)).calls;
  }

  /** Ends the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }

  async #ask(
    method: 'GET' | 'PUT',
    path: string,
    signal: AbortSignal,
    body: unknown = null,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const options = { method, signal, agent: this.#agent };
      const client = httpRequest(`${this.#address}${path}`, options, (response) => {
        json(response).then((answer) => {
          if (response.statusCode === 200) resolve(answer);
          else reject(new Error(`the provider answered ${String(response.statusCode)} to ${method} ${path}`));
        }, reject);
      });
      client.once('error', reject);
      client.end(body === null ? undefined : JSON.stringify(body));
    });
  }
}
