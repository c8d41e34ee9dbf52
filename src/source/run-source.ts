/** A stored series as a source: it brings its own log, graph and rules. */
import { deriveRules } from '#analysis/invariants/derive-rules.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { optionsFor, readSettings } from '../rundir/series-file.ts';
import { openRunDirectory } from './run-directory.ts';
import type { Source, SourceFilter } from './source.ts';

/** Opens a run directory. *Fails* with OperatorError that names file and line. */
export async function openRunSource(folder: string, { threads, schema }: SourceFilter): Promise<Source> {
  if (schema !== null) {
    throw new OperatorError({
      happened: 'a run directory holds one schema only, so --schema says nothing here',
      place: folder,
      remedy: 'Leave --schema out.',
    });
  }
  const settings = readSettings(folder);
  const rules = await deriveRules(settings.graph);
  const run = await openRunDirectory(folder);
  return {
    name: { kind: 'run', name: folder },
    options: optionsFor(settings, rules),
    elsewhere: new Set(),
    nodes: null,
    threads: () => (threads === null ? run.threads() : wanted(run.threads(), threads)),
  };
}

async function* wanted(
  source: AsyncIterable<ThreadEvidence>,
  threads: ReadonlySet<string>,
): AsyncGenerator<ThreadEvidence> {
  for await (const evidence of source) if (threads.has(evidence.rows.thread)) yield evidence;
}
