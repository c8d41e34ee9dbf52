/**
 * A live database as a source. Its tables are read once, without the values that the analysis does not look at; the few
 * threads whose branches share blobs are read again with all of theirs, from the same snapshot. Easy to get wrong: with
 * an effect log any row may name a node, so then nothing is left to the server to choose.
 */
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { readDump } from '../dump/read-dump.ts';
import { hasBranches } from '../source/branches.ts';
import { chosenSource } from '../source/chosen-source.ts';
import { openDumpSource, type DumpReading } from '../source/dump-source.ts';
import type { Source, SourceFilter } from '../source/source.ts';
import { choosesAll, type ThreadChoice } from '../source/thread-choice.ts';
import type { LiveSettings } from './live-settings.ts';
import { mergedTexts } from './merged-texts.ts';
import { openLive, type LiveRequest, type LiveText } from './open-live.ts';

/** A database and what is wanted of it. */
export interface LiveSourceRequest {
  readonly dsn: string;
  readonly filter: SourceFilter;
  readonly choice: ThreadChoice;
  /** See {@link LiveRequest}. */
  readonly choose?: LiveRequest['choose'];
  /** See {@link LiveRequest}. */
  readonly aside?: LiveRequest['aside'];
  /** How its rows are kept until their threads are whole. */
  readonly reading: DumpReading;
  readonly settings: LiveSettings;
  readonly note: (sentence: string) => void;
  readonly stop: AbortSignal;
}

const chooseAll: ThreadChoice = { sinceMs: null, untilMs: null, limit: null };

/**
 * Opens a database and reads it. One connection stays open until `threads` has been read to its end. *Fails* with
 * OperatorError, or with the reason of `stop`.
 */
export async function openLiveSource(request: LiveSourceRequest): Promise<Source> {
  const { dsn, filter, choice, reading, settings, note, stop } = request;
  const { nodes } = reading;
  // A few named threads are small; what is read at once need not be read again.
  const values = filter.threads === null || nodes ? 'wanted' : 'all';
  const live = await openLive({
    dsn,
    schema: filter.schema,
    threads: filter.threads === null || nodes ? null : [...filter.threads],
    choice: nodes ? chooseAll : choice,
    ...(request.choose === undefined ? {} : { choose: request.choose }),
    ...(request.aside === undefined ? {} : { aside: request.aside }),
    values,
    settings,
    note,
    stop,
  });
  try {
    const text = { kind: 'stream', name: live.name, bytes: mergedTexts(live.texts) } as const;
    const rows = await openDumpSource(text, filter, reading);
    const source = nodes && !choosesAll(choice) ? chosenSource(rows, choice, note) : rows;
    const isWhole = values === 'all';
    return {
      ...source,
      name: { kind: 'database', name: live.name },
      threads: () => completed(source, live, isWhole),
      close: () => {
        source.close?.();
        void live.close();
      },
    };
  } catch (error) {
    await live.close();
    throw error;
  }
}

async function* completed(source: Source, live: LiveText, isWhole: boolean): AsyncGenerator<ThreadEvidence> {
  try {
    for await (const evidence of source.threads()) {
      const { rows } = evidence;
      if (isWhole || !hasBranches(rows.checkpoints)) yield evidence;
      else yield { ...evidence, rows: await secondLook(live, rows) };
    }
  } finally {
    await live.close();
  }
}

async function secondLook(live: LiveText, rows: ThreadRows): Promise<ThreadRows> {
  const bytes = live.whole(rows.thread, rows.schema);
  let found = rows;
  for await (const whole of readDump({ kind: 'stream', name: live.name, bytes })) {
    found = { ...whole, schema: rows.schema };
  }
  return found;
}
