/**
 * A source of rows joined with a log: each thread gets its records, and threads that only the log knows come last.
 * Easy to get wrong: a log names no schema, so a thread id that two schemas hold cannot be given its records.
 */
import type { Effect, EffectLog } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { EffectsLog, LoggedName } from './effects-log.ts';
import { inTwoSchemas } from './in-two-schemas.ts';
import type { Source, SourceFilter } from './source.ts';

/** The same source with the log's records. */
export function withEffects(source: Source, log: EffectsLog, { threads }: SourceFilter): Source {
  const notNodes = namesWithoutNode(source, log).map(({ name }) => name);
  return {
    ...source,
    options: { ...source.options, notNodes },
    threads: () => joined(source, log, threads),
  };
}

/**
 * Names of the log that no row shows as a node. A name whose records carry a task and a checkpoint id is a node
 * although every row of it is gone, unless LangGraph forbids it as a name.
 */
export function namesWithoutNode({ nodes }: Source, { names }: EffectsLog): readonly LoggedName[] {
  if (nodes === null) return [];
  return names.filter(({ name, hasIds }) => !nodes.has(name) && (!hasIds || /[:|]/.test(name)));
}

async function* joined(
  source: Source,
  { byThread, health, file }: EffectsLog,
  wanted: ReadonlySet<string> | null,
): AsyncGenerator<ThreadEvidence> {
  const logOf = (effects: readonly Effect[]): EffectLog => ({ effects, table: null, health });
  const seen = new Set<ThreadId>();
  for await (const evidence of source.threads()) {
    const { thread } = evidence.rows;
    const effects = byThread.get(thread);
    if (effects !== undefined) {
      if (seen.has(thread)) throw inTwoSchemas(thread, file, 'log', 'records');
      seen.add(thread);
    }
    yield { ...evidence, log: logOf(effects ?? []) };
  }
  for (const [thread, effects] of byThread) {
    if (seen.has(thread) || source.elsewhere.has(thread) || wanted?.has(thread) === false) continue;
    const rows = { thread, schema: null, checkpoints: [], blobs: [], writes: [] };
    yield { rows, log: logOf(effects), runs: null };
  }
}
