/**
 * What is the schema of a series called? A name of a narrow grammar, because it is dropped with everything in it, and
 * because LangGraph's saver puts it between double quotes without escaping it.
 */
import { invariant } from '#analysis/model/bug.ts';

declare const brand: unique symbol;

/** The name of a schema that this program made for one series: `forkscope_` and 1 to 53 of `[a-z0-9_]`. */
export type SeriesSchema = string & { readonly [brand]: 'SeriesSchema' };

/** Postgres cuts names after 63 bytes, silently. */
const grammar = /^forkscope_[a-z0-9_]{1,53}$/;

/** Accepts a name of the grammar; null for any other text, so that no other schema can ever be dropped. */
export function seriesSchema(name: string): SeriesSchema | null {
  return isSeriesSchema(name) ? name : null;
}

/**
 * Makes a name from the id of a series, such as `double-post-20261130t225100z-3f`: other characters become `_`.
 * Keep the id short and what makes it unique at its end: the beginning is cut off, so that the name has 50 characters
 * at most, which is what pg-boss takes (10.4, src/attorney.js).
 */
export function seriesSchemaFor(seriesId: string): SeriesSchema {
  const name = `forkscope_${seriesId
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .slice(-40)}`;
  invariant(isSeriesSchema(name), 'the id of a series is not empty');
  return name;
}

function isSeriesSchema(name: string): name is SeriesSchema {
  return grammar.test(name);
}
