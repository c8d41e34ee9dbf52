/**
 * A plain pg_dump of any size in chunks, and at its end what it holds. Easy to get wrong: every table is a pass of its
 * own over all threads, told anew from their numbers, so memory does not grow with the dump.
 */
import { loadHashes } from '#analysis/serialization/task-ids.ts';
import { blobLines } from './blob-lines.ts';
import { Chance } from './chance.ts';
import { checkpointLine } from './checkpoint-line.ts';
import { dumpFrame, type DumpedTable } from './dump-frame.ts';
import { SummaryTally, type DumpSummary } from './dump-summary.ts';
import { giantValue } from './giant-row.ts';
import { grouped, interleaved, type Turn } from './schedule.ts';
import type { DumpSettings } from './settings.ts';
import { shuffled } from './shuffle.ts';
import { draftPool } from './stored-values.ts';
import { tellThread } from './story.ts';
import { isWhole, planDump, planThread, type DumpPlan, type ThreadPlan } from './thread-plan.ts';
import { writeLines, type WriteTools } from './write-lines.ts';

/** Python's saver has made ten migrations, the JS saver five. */
const migrations = { js: 5, python: 10 };

/**
 * The dump as chunks of about a megabyte; its return value says what it holds. The same settings give the same bytes.
 * *Cost*: some 200 MB/s on one core; memory for the threads at work at one moment. `shuffled` takes the largest
 * table's bytes of temporary disk.
 */
export async function generateDump(settings: DumpSettings): Promise<Generator<Buffer, DumpSummary>> {
  const hasPath = settings.jsShare < 1;
  const drafts = draftPool(settings.seed, settings.valueBytes);
  return dumpChunks(settings, { drafts, hashes: await loadHashes(), hasPath });
}

function* dumpChunks(settings: DumpSettings, tools: WriteTools): Generator<Buffer, DumpSummary> {
  const { drafts, hasPath } = tools;
  const plan = planDump(settings);
  const frame = dumpFrame(hasPath);
  const tally = new SummaryTally(plan, drafts.length);
  const counts = { checkpoints: 0, blobs: 0, writes: 0 };
  let bytes = 0;
  const counted = function* (chunks: Iterable<Buffer>): Generator<Buffer> {
    for (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const ordered = (): Iterable<Turn> =>
    settings.order === 'interleaved' ? interleaved(plan, drafts.length) : grouped(plan, drafts.length);
  const rows = (lines: Iterable<string>, table: number): Generator<Buffer> =>
    counted(
      chunked(settings.order === 'shuffled' ? shuffled(lines, new Chance(settings.seed, -table)) : lines),
    );
  const text = (words: string): Generator<Buffer> => counted([Buffer.from(words, 'latin1')]);
  const opening = (table: DumpedTable): Generator<Buffer> => text(frame.opening(table));
  const isKept = ({ plan, told }: Turn): boolean =>
    settings.retention === 'all' || told.row.run === plan.runs.length - 1 || isWhole(plan);
  const giant = settings.giantBlobBytes + settings.giantWriteBytes > 0 ? giantHost(plan) : null;

  yield* text(frame.head);
  yield* opening('checkpoint_blobs');
  yield* rows(blobs(), 1);
  if (giant !== null && settings.giantBlobBytes > 0) {
    counts.blobs += 1;
    yield* text(`${giant.thread}\t\tattachment\t1\tjson\t`);
    yield* counted(giantValue(settings.giantBlobBytes));
    yield* text('\n');
  }
  yield* text(frame.closing);
  yield* opening('checkpoint_migrations');
  const versions = Array.from({ length: hasPath ? migrations.python : migrations.js }, (_, v) => `${v}\n`);
  yield* text(versions.join('') + frame.closing);
  yield* opening('checkpoint_writes');
  yield* rows(writes(), 2);
  if (giant !== null && settings.giantWriteBytes > 0) {
    counts.writes += 1;
    const [before, after] = giantWrite(giant, tools);
    yield* text(before);
    yield* counted(giantValue(settings.giantWriteBytes));
    yield* text(after);
  }
  yield* text(frame.closing);
  yield* opening('checkpoints');
  yield* rows(checkpoints(), 3);
  yield* text(frame.closing + frame.foot);
  return tally.summary(counts, bytes);

  function* blobs(): Generator<string> {
    for (const turn of ordered()) {
      if (!isKept(turn)) continue;
      for (const line of blobLines(turn.plan, turn.told, drafts)) {
        counts.blobs += 1;
        yield line;
      }
    }
  }

  function* writes(): Generator<string> {
    for (const turn of ordered()) {
      if (!isKept(turn)) continue;
      for (const line of writeLines(turn.plan, turn.told, tools)) {
        counts.writes += 1;
        yield line;
      }
    }
  }

  function* checkpoints(): Generator<string> {
    for (const { plan: thread, told } of ordered()) {
      tally.add(thread, told);
      counts.checkpoints += 1;
      yield checkpointLine(thread, told.row, drafts);
    }
  }
}

/** The first thread that JS wrote; the first of all, when none is. */
function giantHost(plan: DumpPlan): ThreadPlan {
  for (let number = 0; number < plan.threads; number += 1) {
    const thread = planThread(plan, number);
    if (thread.language === 'js') return thread;
  }
  return planThread(plan, 0);
}

/** A further write of a thread's last task, cut where its value stands. */
function giantWrite(plan: ThreadPlan, tools: WriteTools): readonly [string, string] {
  let line = '';
  for (const told of tellThread(plan, tools.drafts.length)) line = writeLines(plan, told, tools)[0] ?? line;
  const fields = line.split('\t');
  const path = tools.hasPath ? `\t${fields[8] ?? '\n'}` : '\n';
  return [`${[...fields.slice(0, 4), '90', 'attachment', 'json'].join('\t')}\t`, path];
}

const chunkBytes = 1 << 20;

/** Lines of one byte a character, gathered. Every chunk is fresh memory, so that it may be written later. */
function* chunked(lines: Iterable<string>): Generator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let used = 0;
  for (const line of lines) {
    if (used + line.length > chunk.length) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, line.length));
      used = 0;
    }
    used += chunk.write(line, used, 'latin1');
  }
  yield chunk.subarray(0, used);
}
