import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from './open-pool.ts';
import { openEmbeddedPlace, type EmbeddedPlace } from './testing/embedded-place.ts';

let place: EmbeddedPlace;
beforeAll(async () => {
  place = await openEmbeddedPlace();
});
afterAll(async () => {
  await place.close();
});

test('clients that lose their server, idle or lent out, end nothing but their next query', async () => {
  const pool = openPool({ connectionString: place.server.dsn, max: 3 });
  try {
    const [idle, lent, other] = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const pids = await Promise.all(
      [idle, lent].map(async (client) => {
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        return rows[0]?.pid;
      }),
    );
    idle.release();
    // An event without a listener would be an uncaught exception, which fails the run.
    const lost = new Promise((resolve) => lent.once('end', resolve));
    await other.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
    await lost;
    await expect(lent.query('SELECT 1')).rejects.toThrow();
    lent.release(true);
    other.release();
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});
