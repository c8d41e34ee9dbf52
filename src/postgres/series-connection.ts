/**
 * How does everything that works on one series connect, so that its sessions can be found and ended? By the name of
 * the schema as `application_name`. Easy to get wrong: a session that outlives its process may still hold a lock, or
 * be about to commit the very schema that is being dropped.
 */
import { invariant } from '#analysis/model/bug.ts';
import { formatDsn, parseDsn, withParameter } from './dsn.ts';
import type { SeriesSchema } from './series-schema-name.ts';

/**
 * The connection string for pools that work on a series: sessions carry the schema as their `application_name`.
 * Give this one to the workers.
 */
export function seriesDsn(dsn: string, schema: SeriesSchema): string {
  const parsed = parseDsn(dsn);
  invariant(parsed !== null, 'connection strings are checked where they enter the program');
  return formatDsn(withParameter(parsed, 'application_name', schema));
}
