import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { formatDsn, parseDsn, redactDsn, unreadableDsn, withParameter } from './dsn.ts';

/** Any password text a URL or a server could hold, marks of every grammar included. */
const anyPassword = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from(`@:/?#&=%+ '"\\[]ab1`)), minLength: 1, maxLength: 12 }),
);

/** Writing a password into a connection string, properly. */
const writers: readonly (readonly [string, (password: string) => string, string])[] = [
  [
    'the user part',
    (p) => `postgres://ann:${encodeURIComponent(p)}@db.example:5433/shop`,
    'postgres://ann:***@db.example:5433/shop',
  ],
  [
    'the query',
    (p) => `postgresql://ann@db.example/shop?password=${encodeURIComponent(p)}&sslmode=require`,
    'postgres://ann:***@db.example/shop?sslmode=require',
  ],
  [
    'key=value text',
    (p) => `host=db.example user=ann dbname=shop password='${p.replace(/[\\']/g, '\\$&')}'`,
    'postgres://ann:***@db.example/shop',
  ],
];

test.each(writers)(
  'a password in %s is replaced, and the text shown does not depend on it (property)',
  (_, write, shown) => {
    fc.assert(
      fc.property(anyPassword, (password) => {
        expect(redactDsn(write(password))).toBe(shown);
      }),
    );
  },
);

const raw: readonly (readonly [string, (password: string) => string])[] = [
  ['the user part', (p) => `postgres://ann:${p}@db.example:5433/shop`],
  ['the query', (p) => `postgres://ann@db.example:5433/shop?password=${p}`],
  ['key=value text', (p) => `user=ann password=${p} port=5433 host=db.example dbname=shop`],
];

test.each(raw)(
  'a password pasted into %s without any encoding is never printed, whole or in part (property)',
  (_, write) => {
    // Two marks around each character, so that no piece of the secret can occur in the rest by chance.
    const secret = fc
      .array(fc.constantFrom(...Array.from(`@:/?#%+\\'"[]\tQ`)), { minLength: 1, maxLength: 10 })
      .map((marks) => marks.map((mark) => `Q${mark}Z`).join(''));
    fc.assert(
      fc.property(secret, (password) => {
        const shown = redactDsn(write(password));
        expect(shown).not.toMatch(/[QZ]/);
      }),
    );
  },
);

test('what is formatted is read back as the same parts, by this parser and by the driver (property)', () => {
  const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 });
  const parts = fc.record({
    user: fc.option(word),
    password: fc.option(word),
    host: fc.option(fc.constantFrom('localhost', '127.0.0.1', '::1', '/var/run/postgresql', 'db-1.example')),
    port: fc.option(fc.integer({ min: 1, max: 65535 }).map(String)),
    database: fc.option(
      fc
        .string({ unit: fc.constantFrom(...Array.from('aZ09_- %.$é')), minLength: 1, maxLength: 9 })
        .filter((n) => !/^\.+$|^\.|\s$/.test(n)),
    ),
  });
  fc.assert(
    fc.property(parts, (dsn) => {
      const text = formatDsn({ ...dsn, parameters: new Map([['application_name', 'a b+c&d']]) });
      expect(parseDsn(text)).toEqual({ ...dsn, parameters: new Map([['application_name', 'a b+c&d']]) });
      const client = new pg.Client({ connectionString: text });
      if (dsn.host !== null) expect(client.host).toBe(dsn.host);
      if (dsn.user !== null) expect(client.user).toBe(dsn.user);
      if (dsn.password !== null) expect(client.password).toBe(dsn.password);
      if (dsn.port !== null) expect(client.port).toBe(Number(dsn.port));
      if (dsn.database !== null) expect(client.database).toBe(dsn.database);
    }),
  );
});

test('key=value text becomes the URL that the driver understands', () => {
  const dsn = parseDsn("host=/tmp port = 5433 user='o''neil' dbname=shop");
  expect(dsn).toBeNull(); // two quotes do not escape one in this grammar: a backslash does
  const read = parseDsn("host=/tmp port = 5433 user='o\\'neil' dbname=shop sslmode=disable");
  expect(read === null ? null : formatDsn(read)).toBe(
    "postgres://o'neil@/shop?host=%2Ftmp&port=5433&sslmode=disable",
  );
});

test('a parameter that is set replaces the one that stood there', () => {
  const dsn = parseDsn('postgres://h/d?application_name=old&sslmode=disable');
  expect(dsn === null ? null : formatDsn(withParameter(dsn, 'application_name', 'new'))).toBe(
    'postgres://h/d?application_name=new&sslmode=disable',
  );
});

test.each([
  '',
  'runs/latest',
  'dump.sql',
  'postgres://h:port/d',
  'postgres://a@b@c/d',
  'mysql://u:p@h/d',
  'host=h junk',
  'postgres://u:%zz@h/d',
])('text that is no connection string is refused and not shown: %j', (text) => {
  expect(parseDsn(text)).toBeNull();
  expect(redactDsn(text)).toBe(unreadableDsn);
});
