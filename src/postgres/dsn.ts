/**
 * Where does a connection string lead, and how is it shown? Input: a URL (`postgres://…`) or libpq's key=value text;
 * output: its parts, or null when it follows neither grammar exactly. Easy to get wrong: a password pasted without
 * percent-encoding moves the borders of host and path, so that a lenient reader would print a piece of it as a host.
 * The grammar here is therefore strict (the only `@` is the one that ends the user part), and what it refuses is
 * never printed at all.
 */
import { isIPv6 } from 'node:net';

/** A connection string taken apart. Every text is decoded; null means absent, and the driver's default applies. */
export interface Dsn {
  readonly user: string | null;
  readonly password: string | null;
  /** A name, an address (IPv6 without brackets) or the folder of a Unix socket. */
  readonly host: string | null;
  readonly port: string | null;
  readonly database: string | null;
  /** All other parameters, such as `sslmode`. Shape: in the order written, the last of equal keys wins. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** What {@link redactDsn} prints for text that is no connection string. */
export const unreadableDsn = '(unreadable connection string)';

/** Reads a connection string; null when it is neither a strict URL nor key=value text. */
export function parseDsn(text: string): Dsn | null {
  const trimmed = text.trim();
  if (/\p{Surrogate}/u.test(trimmed)) return null; // half a character cannot be percent-encoded
  return /^postgres(?:ql)?:/i.test(trimmed) ? parseUrl(trimmed) : parseKeyValues(trimmed);
}

/** The URL form, password included: what is handed to the driver. `parseDsn(formatDsn(d))` equals `d`. */
export function formatDsn(dsn: Dsn): string {
  return format(dsn, dsn.password === null ? '' : `:${encodeURIComponent(dsn.password)}`, [
    ...dsn.parameters,
  ]);
}

/** The same connection string with one parameter set. */
export function withParameter(dsn: Dsn, name: string, value: string): Dsn {
  return { ...dsn, parameters: new Map([...dsn.parameters, [name, value]]) };
}

/**
 * The connection string for a person to read: no password, wherever it stood, and of the parameters only those that
 * lead somewhere. Text that cannot be read strictly is not shown at all, see {@link unreadableDsn}.
 */
export function redactDsn(text: string): string {
  const dsn = parseDsn(text);
  if (dsn === null) return unreadableDsn;
  const shown = [...dsn.parameters].filter(([name, value]) => name === 'sslmode' && /^[a-z-]+$/.test(value));
  return format(dsn, dsn.password === null ? '' : ':***', shown);
}

const urlGrammar =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#\s]*)(?::(?<password>[^@/?#\s]*))?@)?(?<host>[^:@/?#\s[\]]*|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?(?:\/(?<database>[^@?#\s]*))?(?:\?(?<query>[^@#\s]*))?$/i;

function parseUrl(text: string): Dsn | null {
  const groups = urlGrammar.exec(text)?.groups;
  if (groups === undefined) return null;
  try {
    const parts = new Map<string, string>();
    parts.set('user', decodeURIComponent(groups['user'] ?? ''));
    parts.set('password', decodeURIComponent(groups['password'] ?? ''));
    parts.set('host', decodeURIComponent((groups['host'] ?? '').replace(/^\[(.*)\]$/, '$1')));
    parts.set('port', groups['port'] ?? '');
    // The driver decodes the path with decodeURI, which leaves the escapes of reserved marks alone; so do we.
    parts.set('dbname', decodeURI(groups['database'] ?? ''));
    // The driver reads the query as URLSearchParams, where a plus is a space.
    for (const [name, value] of new URLSearchParams(groups['query'] ?? '')) parts.set(name, value);
    return fromParts(parts);
  } catch (error) {
    if (error instanceof URIError) return null; // a stray % that begins no escape
    throw error;
  }
}

function parseKeyValues(text: string): Dsn | null {
  const pair = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/gsy;
  const parts = new Map<string, string>();
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text);
    if (match === null) return null;
    parts.set(match[1] ?? '', (match[2] ?? match[3] ?? '').replace(/\\(.)/gs, '$1'));
  }
  return parts.size === 0 ? null : fromParts(parts);
}

/** Parameters named like a part of the URL win over that part, as they do in the driver. */
function fromParts(parts: Map<string, string>): Dsn | null {
  const take = (name: string): string | null => {
    const value = parts.get(name) ?? '';
    parts.delete(name);
    return value === '' ? null : value;
  };
  const user = take('user');
  const password = take('password');
  const host = take('host');
  const port = take('port');
  const database = take('dbname');
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) return null;
  // The driver's URLs have no escape for these marks in a database name.
  if (database !== null && /[?#@]/.test(database)) return null;
  return { user, password, host, port, database, parameters: parts };
}

function format(dsn: Dsn, passwordPart: string, parameters: readonly (readonly [string, string])[]): string {
  const user =
    dsn.user === null && passwordPart === '' ? '' : `${encodeURIComponent(dsn.user ?? '')}${passwordPart}@`;
  const authority = authorityOf(dsn.host ?? '');
  const port = dsn.port === null || authority === '' ? '' : `:${dsn.port}`;
  const database = encodeURI(dsn.database ?? '');
  const pairs: [string, string][] = [];
  if (authority === '' && dsn.host !== null) pairs.push(['host', dsn.host]);
  if (authority === '' && dsn.port !== null) pairs.push(['port', dsn.port]);
  for (const [name, value] of parameters) pairs.push([name, value]);
  const query = new URLSearchParams(pairs).toString();
  return `postgres://${user}${authority}${port}/${database}${query === '' ? '' : `?${query}`}`;
}

/** Empty for a socket folder, or anything else that can only travel as a parameter. */
function authorityOf(host: string): string {
  if (/^[\w.-]*$/.test(host)) return host;
  return isIPv6(host) && !host.includes('%') ? `[${host}]` : '';
}
