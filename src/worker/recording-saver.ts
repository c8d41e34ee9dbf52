/**
 * LangGraph's own Postgres saver, watched. It adds the run token to checkpoint metadata (LangGraph JS stores no run
 * id) and tells the registry when a run reads and stores; rows are otherwise the library's own. The token travels in
 * `configurable`, under a key of ours: `run_id` would make LangGraph resume.
 */
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { RunnableConfig } from '@langchain/core/runnables';
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type pg from 'pg';
import { runTokenKey, type RunToken } from '#analysis/model/identifiers.ts';
import { fenceKey, fenceOf } from './fence.ts';
import type { RunRegistry } from './run-registry.ts';

/** The run token that a run's configuration carries; null for calls outside any run (`getState`). */
export function runTokenOf(config: RunnableConfig): RunToken | null {
  const token: unknown = config.configurable?.[runTokenKey];
  return typeof token === 'string' ? (token as RunToken) : null;
}

function fenceIn(config: RunnableConfig): Readonly<Record<string, number>> {
  const fence = fenceOf(config);
  return fence === null ? {} : { [fenceKey]: fence };
}

/** See the file's head. The pool stays the caller's to end. */
export class RecordingSaver extends PostgresSaver {
  readonly #runs: RunRegistry;

  constructor(pool: pg.Pool, schema: string, runs: RunRegistry) {
    super(pool, undefined, { schema });
    this.#runs = runs;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const run = runTokenOf(config);
    if (run === null) return super.getTuple(config);
    this.#runs.readBegan(run);
    try {
      return await super.getTuple(config);
    } finally {
      this.#runs.readEnded(run);
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const run = runTokenOf(config);
    if (run === null) return super.put(config, checkpoint, metadata, newVersions);
    this.#runs.putBegan(run);
    try {
      return await super.put(
        config,
        checkpoint,
        { ...metadata, [runTokenKey]: run, ...fenceIn(config) } as CheckpointMetadata,
        newVersions,
      );
    } finally {
      this.#runs.putEnded(run);
    }
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const run = runTokenOf(config);
    if (run === null) return super.putWrites(config, writes, taskId);
    this.#runs.putBegan(run);
    try {
      await super.putWrites(config, writes, taskId);
    } finally {
      this.#runs.putEnded(run);
    }
  }
}
