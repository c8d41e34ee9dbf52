/**
 * How much longer than the bare fork query does a census take? Both are asked of one embedded server, in turn, in the
 * session that an audit opens, with the tables in memory. Easy to get wrong: the fork query runs on one core and the
 * census on all, so on a busy machine the ratio rises; run it alone.
 */
import { census, type CensusSession } from '../census/census.ts';
import { sessionSettings } from '../census/census-sql.ts';
import { LiveSession } from '../live/live-session.ts';
import { liveDefaults } from '../live/live-settings.ts';
import { findTables } from '../live/live-tables.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog } from '../postgres/watchdog.ts';
import { judged, scaled, type Benchmark, type Measure } from './benchmark.ts';
import { loadCensusRows } from './sql-census-rows.ts';

const rounds = 5;

/** At full size: a million checkpoints with two and a half million rows in each of the other tables. */
export const sqlCensus: Benchmark = {
  name: 'sql-census',
  describe: 'a census inside the database (--engine sql) beside the bare fork query, one million checkpoints',
  run: measure,
};

async function measure(scale: number): Promise<readonly Measure[]> {
  const watchdog = startWatchdog();
  const server = await startEmbeddedServer({ watchdog });
  try {
    const checkpoints = await loadCensusRows(server.dsn, scaled(1_000_000, scale, 1_000));
    const session = await LiveSession.open(server.dsn, liveDefaults, new AbortController().signal);
    try {
      for (const [name, value] of sessionSettings) await session.query(`SET LOCAL ${name} = ${value}`, null);
      const tables = await findTables(session, server.dsn, null, () => undefined);
      const forkQuery: number[] = [];
      const whole: number[] = [];
      let suspicious = 0;
      for (let round = 0; round < rounds; round++) {
        forkQuery.push(await timedMs(() => drain(session)));
        whole.push(
          await timedMs(async () => {
            suspicious = 0;
            for await (const item of census(session, tables)) if (item.kind === 'thread') suspicious += 1;
          }),
        );
      }
      const [forkQueryMs, censusMs] = [median(forkQuery), median(whole)];
      return [
        { measure: 'checkpoints', value: checkpoints, unit: '' },
        { measure: 'suspicious threads', value: suspicious, unit: '' },
        { measure: 'bare fork query', value: forkQueryMs, unit: 'ms' },
        { measure: 'census', value: censusMs, unit: 'ms' },
        judged(
          { measure: 'census by fork query', value: censusMs / forkQueryMs, unit: '' },
          { atMost: 2.5 },
          scale,
        ),
      ];
    } finally {
      await session.close();
    }
  } finally {
    await server.stop();
    await watchdog.close();
  }
}

async function drain(session: CensusSession): Promise<void> {
  const sql = `SELECT thread_id, checkpoint_ns, parent_checkpoint_id, count(*) FROM public.checkpoints
    GROUP BY 1, 2, 3 HAVING count(*) > 1`;
  const answer = session.copy(sql, 'the fork query');
  while ((await answer.next()).done !== true);
}

async function timedMs(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
