/**
 * Of which channels does the analysis read stored values? Blobs and writes are most of a table's bytes, and nearly all
 * of them are state that nothing here looks at. Easy to get wrong: the one question that does need state is whose value
 * a shared blob kept, so a report that found one is made again from all bytes of its thread ({@link wantsSecondLook}).
 */
import type { ThreadReport } from '#analysis/model/report.ts';

/** Send lists, how a task failed, how an interrupt was answered. */
const wantedNames: readonly string[] = ['__pregel_tasks', '__error__', '__resume__'];

/** Barriers (who has arrived), and triggers of deferred nodes (whether they were released). */
const wantedPrefixes: readonly string[] = ['join:', 'branch:to:'];

/**
 * Whether the analysis decodes values of this channel, in blobs or in writes. Of all others it reads keys and
 * serialization tags only. Source: every caller of `decodeStored` in analysis/, and a test that compares reports.
 */
export function wantsValue(channel: string): boolean {
  return wantedNames.includes(channel) || wantedPrefixes.some((prefix) => channel.startsWith(prefix));
}

/**
 * {@link wantsValue} as an SQL condition on `column`, an expression of type text that is trusted, not quoted. True to
 * the byte whatever the collation; runs on any server.
 */
export function wantsValueSql(column: string): string {
  const names = wantedNames.map((name) => `'${name}'`).join(', ');
  const prefixes = wantedPrefixes.map((prefix) => `left(${column}, ${prefix.length}) = '${prefix}'`);
  return `(${[`${column} in (${names})`, ...prefixes].join(' or ')})`;
}

/**
 * Whether a report made without unwanted values may say more once all values of its thread are read: it found a shared
 * blob and cannot tell whose value was kept. Every other report is already what it would be with all bytes.
 */
export function wantsSecondLook({ findings }: Pick<ThreadReport, 'findings'>): boolean {
  return findings.some(({ kind }) => kind === 'shared-blob');
}
