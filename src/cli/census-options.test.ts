import { expect, test } from 'vitest';
import { checkEngine } from './census-options.ts';

const database = { engine: 'sql', source: 'postgres://auditor@db/shop' };

test('the engine sql is for a live database and goes with its other options', () => {
  expect(checkEngine({ ...database, schema: 'agents', connections: 4 })).toBe(true);
  expect(checkEngine({ engine: 'sql', source: 'backup.dump' })).toContain('live database');
  expect(checkEngine({ engine: 'copy', source: 'backup.dump', rule: [] })).toBe(true);
  expect(checkEngine({ source: 'backup.dump', since: 1 })).toBe(true);
});

test.each(['effects', 'rule', 'thread', 'since', 'until', 'limit'])(
  'the engine sql refuses --%s, under which it could prove no thread ordinary or looks at others',
  (option) => {
    expect(checkEngine({ ...database, [option]: 'given' })).toContain(`--${option}`);
  },
);

test('the engine sql refuses --all-threads', () => {
  expect(checkEngine({ ...database, allThreads: true })).toContain('--all-threads');
});
