/**
 * Why could a live database not be read, in the operator's words? Easy to get wrong: the same SQLSTATE means one thing
 * while a series creates its schema and another while an audit reads, so those that differ are explained here first.
 */
import { OperatorError } from '../failure/operator-error.ts';
import { connectionFailure, isDriverFailure, placeOf } from '../postgres/connection-failure.ts';
import { codeOf } from '../postgres/sqlstate.ts';

interface Explanation {
  readonly happened: string;
  readonly remedy: string;
}

const explanations: ReadonlyMap<string, Explanation> = new Map([
  [
    'ECONNREFUSED',
    {
      happened: 'nothing listens there',
      remedy: 'Check host and port, and that the server runs and accepts connections from this machine.',
    },
  ],
  [
    'ENOENT',
    { happened: 'there is no such socket', remedy: 'Check the folder and the port, or name a host.' },
  ],
  [
    '57014',
    {
      happened:
        'the server cancelled a statement: it ran longer than --statement-timeout allows, or somebody cancelled it',
      remedy:
        'Give more time (--statement-timeout 3h, or 0 for none), or read less (--since, --thread, --schema).',
    },
  ],
  [
    '55P03',
    {
      happened: 'a table is locked by a schema change (DDL), and --lock-timeout has passed',
      remedy: 'Try again once the schema change has ended.',
    },
  ],
  [
    '25P03',
    {
      happened: 'the server ended the transaction because nothing was asked of it for --idle-timeout',
      remedy: 'Give more time (--idle-timeout 30m), or find out what held this process up.',
    },
  ],
  [
    '40001',
    {
      happened: 'the standby cancelled the reading because it conflicts with recovery',
      remedy:
        'Set hot_standby_feedback = on, or raise max_standby_streaming_delay, on the standby; or audit the primary.',
    },
  ],
  [
    '42501',
    {
      happened:
        'the server refuses the reading: a privilege is missing, or a row-level policy would hide rows',
      remedy:
        'Grant SELECT on the tables and, where policies apply, use a role with BYPASSRLS: an audit of some of the rows would say nothing.',
    },
  ],
  [
    '53300',
    {
      happened: 'the server has no connection left',
      remedy: 'Try again later, or with --connections 1.',
    },
  ],
]);

/**
 * Translates what reading a live database failed with; bugs come back as they are. `reading`: what was read when it
 * failed, for the message; null: nothing yet.
 */
export function liveFailure(error: unknown, dsn: string, reading: string | null): unknown {
  if (error instanceof OperatorError || !isDriverFailure(error)) return error;
  const place = reading === null ? placeOf(dsn) : `${placeOf(dsn)}, ${reading}`;
  const explanation = explanations.get(codeOf(error) ?? '');
  if (explanation !== undefined) return new OperatorError({ ...explanation, place, cause: error });
  const { happened, expected, remedy } = connectionFailure(error, dsn);
  return new OperatorError({
    happened,
    place,
    remedy,
    cause: error,
    ...(expected === null ? {} : { expected }),
  });
}
