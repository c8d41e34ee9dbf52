/** For tests: what an audit says of a source, thread by thread, in a form in which the order of threads does not matter. */
import type { ThreadReport } from '#analysis/model/report.ts';
import { prepareAnalysis } from '#analysis/prepare.ts';
import { openSource, type SourceRequest } from '../../source/open-source.ts';

/** Everything of every thread. */
export const everything: Omit<SourceRequest, 'place'> = {
  filter: { threads: null, schema: null },
  effects: null,
};

/** The reports of a source, sorted by schema and thread. */
export async function reportsOf(request: SourceRequest): Promise<readonly ThreadReport[]> {
  const { source } = await openSource(request);
  try {
    const analyse = await prepareAnalysis({ rules: [] });
    const reports: ThreadReport[] = [];
    for await (const evidence of source.threads()) reports.push(await analyse(evidence));
    return reports.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  } finally {
    source.close?.();
  }
}

function keyOf({ schema, thread }: ThreadReport): string {
  return JSON.stringify([schema, thread]);
}
