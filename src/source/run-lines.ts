/**
 * The lines of a run directory's files. Easy to get wrong: a last line without its line feed is what a killed writer
 * leaves, and no damage.
 */
import { createReadStream, existsSync } from 'node:fs';
import { z } from 'zod';
import { OperatorError } from '../failure/operator-error.ts';
import { textLines } from './text-lines.ts';
import { errorText } from '../failure/error-text.ts';

/**
 * Decodes a JSONL file line by line. A last line without its line feed is what a killed writer leaves; it is skipped
 * if it is not whole, since the writer never said that it had written it.
 */
export async function* readLines<T>(path: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  if (!existsSync(path)) {
    throw new OperatorError({
      happened: 'the run directory lacks this file',
      place: path,
      remedy: 'Restore the folder, or run the series again.',
    });
  }
  for await (const { text, number, isEnded } of textLines(createReadStream(path), path)) {
    const decoded = decodeLine(text, schema);
    if (decoded.success) yield decoded.value;
    else if (isEnded) {
      throw new OperatorError({
        happened: decoded.problem,
        place: `${path}, line ${number}`,
        remedy: 'Restore the file; a run directory must not be edited.',
      });
    }
  }
}

function decodeLine<T>(
  line: string,
  schema: z.ZodType<T>,
): { success: true; value: T } | { success: false; problem: string } {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch (error) {
    return {
      success: false,
      problem: `the line is not JSON: ${errorText(error)}`,
    };
  }
  const decoded = schema.safeParse(raw);
  return decoded.success
    ? { success: true, value: decoded.data }
    : { success: false, problem: `the line does not decode: ${z.prettifyError(decoded.error)}` };
}
