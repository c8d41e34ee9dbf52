/**
 * A plain pg_dump of any size in chunks, and at its end what it holds. Easy to get wrong: every table is a pass of its
 * own over all threads, found again from their numbers, so memory does not grow with the dump.
 */
import { loadHashes } from '#analysis/serialization/task-ids.ts';
import { Chance } from '#src/chance.ts';
import { Copies } from './copies.ts';
import { dumpFrame } from './dump-frame.ts';
import { SummaryTally, type DumpSummary } from './dump-summary.ts';
import { giantValue } from './giant-row.ts';
import type { DumpSettings } from './settings.ts';
import { shuffled } from './shuffle.ts';
import { draftPool } from './stored-values.ts';
import { tableLines, type ThreadTable } from './table-lines.ts';
import type { WriteTools } from './write-lines.ts';

/** Python's saver has made ten migrations, the JS saver five. */
const migrations = { js: 5, python: 10 };

/**
 * The dump as chunks of about a megabyte; its return value says what it holds. The same settings give the same bytes.
 * *Cost*: some hundred MB/s on one core; memory for the prototypes and the threads at work at one moment. `shuffled` takes the largest
 * table's bytes of temporary disk.
 */
export async function generateDump(settings: DumpSettings): Promise<Generator<Buffer, DumpSummary>> {
  const hasPath = settings.jsShare < 1;
  const drafts = draftPool(settings.seed, settings.valueBytes);
  return dumpChunks(settings, { drafts, hashes: await loadHashes(), hasPath });
}

function* dumpChunks(settings: DumpSettings, tools: WriteTools): Generator<Buffer, DumpSummary> {
  const { drafts, hasPath } = tools;
  const copies = new Copies(settings, drafts.length);
  const frame = dumpFrame(hasPath);
  const tally = new SummaryTally();
  const counts = { checkpoints: 0, blobs: 0, writes: 0 };
  let bytes = 0;
  const versions = Array.from({ length: hasPath ? migrations.python : migrations.js }, (_, v) => `${v}\n`);
  for (const chunk of chunks()) {
    bytes += chunk.length;
    yield chunk;
  }
  return tally.summary(counts, bytes);

  function* chunks(): Generator<Buffer> {
    yield text(frame.head + frame.opening('checkpoint_blobs'));
    yield* gathered(rows('checkpoint_blobs', 'blobs'));
    if (settings.giantBlobBytes > 0) {
      counts.blobs += 1;
      yield text(`${copies.at(0).thread}\t\tattachment\t1\tjson\t`);
      yield* giantValue(settings.giantBlobBytes);
      yield text('\n');
    }
    yield text(frame.closing + frame.opening('checkpoint_migrations') + versions.join(''));
    yield text(frame.closing + frame.opening('checkpoint_writes'));
    yield* gathered(rows('checkpoint_writes', 'writes'));
    if (settings.giantWriteBytes > 0) {
      counts.writes += 1;
      const [before, after] = giantWrite(copies, tools);
      yield text(before);
      yield* giantValue(settings.giantWriteBytes);
      yield text(after);
    }
    yield text(frame.closing + frame.opening('checkpoints'));
    yield* gathered(rows('checkpoints', 'checkpoints'));
    yield text(frame.closing + frame.foot);
  }

  function* rows(table: ThreadTable, counted: keyof typeof counts): Generator<Buffer> {
    const lines =
      table === 'checkpoints'
        ? tableLines(copies, table, tools, (copy) => {
            tally.add(copy);
          })
        : tableLines(copies, table, tools);
    // Streams of chance that no thread draws from.
    const stream = 0x7000_0000 + table.length;
    for (const line of settings.order === 'shuffled'
      ? shuffled(lines, new Chance(settings.seed, stream))
      : lines) {
      counts[counted] += 1;
      yield line;
    }
  }
}

function text(words: string): Buffer {
  return Buffer.from(words, 'latin1');
}

/** A further write of the first thread's first task, cut where its value stands. */
function giantWrite(copies: Copies, tools: WriteTools): readonly [string, string] {
  const { thread } = copies.at(0);
  for (const line of tableLines(copies, 'checkpoint_writes', tools)) {
    const fields = line.toString('latin1').split('\t');
    if (fields[0] !== thread) continue;
    const path = tools.hasPath ? `\t${fields[8] ?? '\n'}` : '\n';
    return [`${[...fields.slice(0, 4), '90', 'attachment', 'json'].join('\t')}\t`, path];
  }
  throw new RangeError('a dump without threads has no task to write');
}

const chunkBytes = 1 << 20;

/** Lines gathered into chunks of fresh memory, so that a chunk may be written while the next is made. */
function* gathered(lines: Iterable<Buffer>): Generator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let used = 0;
  for (const line of lines) {
    if (used + line.length > chunk.length) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, line.length));
      used = 0;
    }
    chunk.set(line, used);
    used += line.length;
  }
  yield chunk.subarray(0, used);
}
