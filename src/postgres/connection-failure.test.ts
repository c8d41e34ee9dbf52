import { expect, test } from 'vitest';
import { InvariantBroken } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { connectionFailure, isDriverFailure, placeOf } from './connection-failure.ts';

const dsn = 'postgres://ann:s3cret@db.example:5433/shop';

function failure(code: string, message = 'text in the language of the server'): OperatorError {
  return connectionFailure(Object.assign(new Error(message), { code }), dsn);
}

test.each([
  ['57P03', /starting up or shutting down/],
  ['53300', /no connection left/],
  ['53100', /disk of the server is full/],
  ['57P01', /closed the connection/],
  ['ECONNRESET', /closed the connection/],
  ['ETIMEDOUT', /does not answer/],
  ['EAI_AGAIN', /has no address/],
])('code %s is explained without the text of the server', (code, words) => {
  const { message } = failure(code);
  expect(message).toMatch(words);
  expect(message).toContain('(db.example:5433, database shop)');
  expect(message).not.toContain('text in the language');
});

test('a code that is not known is shown with its text', () => {
  expect(failure('XX000', 'cache lookup failed').message).toContain('cache lookup failed [XX000]');
});

test('the code is found inside the error of a name with several addresses', () => {
  const both = new AggregateError([
    Object.assign(new Error('::1'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('127.0.0.1'), { code: 'ECONNREFUSED' }),
  ]);
  expect(connectionFailure(both, dsn).happened).toBe('nothing listens there');
});

test('an operator error is not wrapped in another one, and the cause of a new one is kept', () => {
  const known = new OperatorError({ happened: 'a', place: 'b', remedy: 'C.' });
  expect(connectionFailure(known, dsn)).toBe(known);
  const cause = new Error('timeout expired');
  expect(connectionFailure(cause, dsn).cause).toBe(cause);
});

test('a bug is not mistaken for a failure of the driver', () => {
  expect(isDriverFailure(new InvariantBroken('x'))).toBe(false);
  expect(isDriverFailure(new TypeError('x'))).toBe(false);
  expect(isDriverFailure(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isDriverFailure({ code: '40001' })).toBe(true);
});

test('the place is where the driver would go, socket folders included', () => {
  expect(placeOf('postgres://ann@/shop?host=/run/pg')).toBe('/run/pg:5432, database shop');
});
