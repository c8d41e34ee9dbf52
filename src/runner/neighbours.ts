/**
 * Pairs of thread ids that have nothing in common but 32 bits of hash: among n ids about n²/2³³ pairs share what
 * `hashtext` gives (the birthday problem), so pairs for hundreds of trials are found among some million candidates.
 * Which ids they are depends on the server: Postgres promises no hash across versions, so the server is asked.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { openPool } from '../postgres/open-pool.ts';

/** Two ids with one `hashtext`. */
export type Neighbours = readonly [ThreadId, ThreadId];

const hashValues = 2 ** 32;

/** Pairs more than are needed that are counted on, so that a second look is rare. */
const reserve = 1.2;

/**
 * `count` pairs of ids that begin with the series' name, no id twice.
 *
 * *Cost*: one query over √(2³³ · count) candidates: for 900 pairs 3 million, some seconds of the server.
 */
export async function neighbourPairs(
  dsn: string,
  series: string,
  count: number,
): Promise<readonly Neighbours[]> {
  if (count === 0) return [];
  const pool = openPool({ connectionString: dsn, max: 1 });
  try {
    for (let sought = Math.max(4, count * reserve); ; sought *= 2) {
      const { rows } = await pool.query<{ one: string; other: string }>(
        `SELECT min(id) AS one, max(id) AS other
         FROM (SELECT $1 || '-n' || n AS id FROM generate_series(1, $2::int) AS n) AS candidates
         GROUP BY hashtext(id) HAVING count(*) > 1 ORDER BY one LIMIT $3`,
        [series, Math.ceil(Math.sqrt(2 * hashValues * sought)), count],
      );
      if (rows.length < count) continue;
      return rows.map(({ one, other }) => {
        invariant(one !== other, 'ids of a group differ');
        return [one as ThreadId, other as ThreadId];
      });
    }
  } finally {
    await pool.end();
  }
}
