import { expect, test } from 'vitest';
import { OperatorError } from './operator-error.ts';

test('an operator error says what happened, where, what was expected and what to do, in that order', () => {
  const error = new OperatorError({
    happened: 'the line ended inside COPY data',
    place: 'dump.sql, byte 81204',
    expected: 'a line of \\.',
    remedy: 'Run pg_dump again.',
  });
  expect(error.message).toBe(
    'the line ended inside COPY data (dump.sql, byte 81204). Expected a line of \\.. Run pg_dump again.',
  );
  expect(error).toMatchObject({
    name: 'OperatorError',
    place: 'dump.sql, byte 81204',
    expected: 'a line of \\.',
  });
});

test('an operator error keeps its cause and does not repeat the text of the cause', () => {
  const cause = new Error('EACCES: permission denied, mkdir');
  const error = new OperatorError({
    happened: 'no folder',
    place: '/runs',
    remedy: 'Choose another.',
    cause,
  });
  expect(error.cause).toBe(cause);
  expect(error.expected).toBeNull();
  expect(error.message).toBe('no folder (/runs). Choose another.');
});

test('an operator error without a cause has no cause property, so that nobody prints "cause: undefined"', () => {
  expect('cause' in new OperatorError({ happened: 'x', place: 'y', remedy: 'Z.' })).toBe(false);
});
