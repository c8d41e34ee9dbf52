/**
 * Follows the events of runs that are executed elsewhere. One connection of the process listens for all followers. Easy
 * to get wrong: it has to listen before the first look, or an event between the two is waited for in vain.
 */
import type pg from 'pg';
import { z } from 'zod';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { openPool } from '../postgres/open-pool.ts';
import { runEventSchema, type RunEvent } from '../protocol/run-request.ts';
import { eventChannel, eventTable } from './run-event-store.ts';

/** An event and its number, which grows along a run. */
export interface NumberedEvent {
  readonly id: string;
  readonly event: RunEvent;
}

const rowSchema = z.object({ id: z.string(), event: runEventSchema });

/** See the file's head. */
export class RunEventFeed {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  readonly #wakers = new Map<RunToken, Set<() => void>>();
  #listening: Promise<pg.PoolClient> | null = null;

  constructor({ dsn, schema }: { readonly dsn: string; readonly schema: string }) {
    this.#pool = openPool({ connectionString: dsn, max: 3, idleTimeoutMillis: 0 });
    this.#schema = schema;
  }

  /** The events of a run behind one, without end; `signal` ends it. Rejects when the database does not answer. */
  async *follow(run: RunToken, after: string, signal: AbortSignal): AsyncGenerator<NumberedEvent> {
    await (this.#listening ??= this.#listen());
    let isNew = true;
    let wake: () => void = () => undefined;
    const waker = () => {
      isNew = true;
      wake();
    };
    const wakers = this.#wakers.get(run) ?? new Set();
    this.#wakers.set(run, wakers.add(waker));
    signal.addEventListener('abort', waker);
    try {
      for (let seen = after; !signal.aborted;) {
        if (!isNew) await new Promise<void>((resolve) => (wake = resolve));
        isNew = false;
        for (const numbered of await this.#behind(run, seen)) {
          seen = numbered.id;
          yield numbered;
        }
      }
    } finally {
      signal.removeEventListener('abort', waker);
      wakers.delete(waker);
      if (wakers.size === 0) this.#wakers.delete(run);
    }
  }

  async #listen(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.on('notification', ({ payload = '' }) => {
      for (const wake of this.#wakers.get(payload as RunToken) ?? []) wake();
    });
    // Followers find out by their next look: it fails, or there is nothing to miss any more.
    client.on('end', () => {
      this.#listening = null;
      for (const wakers of this.#wakers.values()) for (const wake of wakers) wake();
    });
    await client.query(`LISTEN ${eventChannel(this.#schema)}`);
    return client;
  }

  async #behind(run: RunToken, after: string): Promise<readonly NumberedEvent[]> {
    const { rows } = await this.#pool.query(
      `SELECT id::text, event FROM ${eventTable(this.#schema)} WHERE run = $1 AND id > $2 ORDER BY id`,
      [run, after],
    );
    return rows.map((row) => rowSchema.parse(row));
  }
}
