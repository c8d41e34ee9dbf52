/** The saver of a service under test: LangGraph's own, which tells when the first row of a run is committed. */
import type { RunnableConfig } from '@langchain/core/runnables';
import type { ChannelVersions, Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type pg from 'pg';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { RecordingSaver, runTokenOf } from '#src/worker/recording-saver.ts';
import type { RunRegistry } from '#src/worker/run-registry.ts';

/** See the file's head. */
export class ObservedSaver extends RecordingSaver {
  readonly #onStored: (run: RunToken) => void;
  readonly #stored = new Set<RunToken>();

  constructor(pool: pg.Pool, schema: string, runs: RunRegistry, onStored: (run: RunToken) => void) {
    super(pool, schema, runs);
    this.#onStored = onStored;
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const stored = await super.put(config, checkpoint, metadata, newVersions);
    const run = runTokenOf(config);
    if (run !== null && !this.#stored.has(run)) {
      this.#stored.add(run);
      this.#onStored(run);
    }
    return stored;
  }
}
