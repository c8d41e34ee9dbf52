/**
 * One value of hundreds of megabytes, in pieces. Easy to get wrong: PostgreSQL reads and writes no field of 1 GiB of
 * text, so a value that a real dump holds ends below that.
 */
import { OperatorError } from '../../failure/operator-error.ts';
import { hex } from './stored-values.ts';

/** *Source*: PostgreSQL 15, `MaxAllocSize` in memutils.h. */
const largestField = 0x3fffffff;

/**
 * Hexadecimal JSON of `{"text":"aaa…","tokens":0}` that takes `sizeBytes` bytes in the dump with its `\\x`. *Cost*: a
 * megabyte. *Fails* with OperatorError beyond what PostgreSQL holds.
 */
export function* giantValue(sizeBytes: number): Generator<Buffer> {
  const before = `\\\\x${hex('{"text":"')}`;
  const after = hex('","tokens":0}');
  const filling = sizeBytes - before.length - after.length;
  if (filling < 0 || sizeBytes > largestField) {
    throw new OperatorError({
      happened: `a value of ${sizeBytes} bytes cannot stand in a dump`,
      place: 'the giant row',
      expected: `from ${before.length + after.length} to ${largestField} bytes`,
      remedy: 'Ask for another size.',
    });
  }
  yield Buffer.from(before);
  const piece = Buffer.from('61'.repeat(512 << 10));
  for (let left = filling - (filling % 2); left > 0; left -= piece.length) {
    yield left < piece.length ? piece.subarray(0, left) : piece;
  }
  yield Buffer.from(after);
}
