/**
 * What is thrown when outside data is not what its format says. It names the row and the field, because a reader of
 * a ten-gigabyte dump has to find the place by hand.
 */

/** A row that cannot be decoded. `field` is a path such as `checkpoint.channel_versions.steps`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly row: string;
  readonly field: string;
  readonly expected: string;

  constructor(row: string, field: string, expected: string, found: unknown) {
    super(`${row}: field ${field} is ${describe(found)}, expected ${expected}`);
    this.row = row;
    this.field = field;
    this.expected = expected;
  }
}

/** A value's JSON kind, with its text when that is short; never a whole row. */
function describe(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `a ${typeof value} of ${text.length} characters` : `the ${typeof value} ${text}`;
}
