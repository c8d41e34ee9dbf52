/**
 * `npm run bench -- generate`: a dump to try things on, and what an audit of it must find. Easy to get wrong: with the
 * dump on standard output its summary goes to standard error, so that the dump can be piped into an audit.
 */
import type { Argv } from 'yargs';
import { z } from 'zod';
import { writeDump } from './dump-file.ts';
import { summaryJson } from './generate/dump-summary.ts';
import { dumpOf, fullDump, type DumpSettings } from './generate/settings.ts';

const orders = ['interleaved', 'grouped', 'shuffled'] as const;
const retentions = ['newest-run', 'all'] as const;

/** Adds the command's options. */
export function generateOptions(command: Argv): Argv {
  return command
    .option('out', {
      type: 'string',
      default: '-',
      describe: 'the file to write; - is standard output',
    })
    .option('checkpoints', {
      type: 'number',
      default: fullDump.checkpoints,
      describe: 'about so many checkpoints; 901000 are 1.3 GB',
    })
    .option('forks', {
      type: 'number',
      describe: 'threads with a planted fork',
      defaultDescription: 'one in 31',
    })
    .option('order', { choices: orders, default: fullDump.order, describe: 'in which order rows come' })
    .option('retention', {
      choices: retentions,
      default: fullDump.retention,
      describe: 'whether all blobs and writes are there or what a clean-up left of them',
    })
    .option('seed', { type: 'number', default: fullDump.seed, describe: 'equal seeds give equal bytes' })
    .option('js-share', {
      type: 'number',
      default: fullDump.jsShare,
      describe: 'part of the threads JS wrote, 0 to 1',
    })
    .option('value-bytes', {
      type: 'number',
      default: fullDump.valueBytes,
      describe: 'mean size of a state value',
    })
    .option('giant-blob', {
      type: 'number',
      default: 0,
      describe: 'bytes of one further blob row; 0 is none',
    })
    .option('giant-write', {
      type: 'number',
      default: 0,
      describe: 'bytes of one further write row; 0 is none',
    });
}

const size = z.number().int().nonnegative();

const decoded = z.object({
  out: z.string(),
  checkpoints: size.min(1),
  forks: size.optional(),
  order: z.enum(orders),
  retention: z.enum(retentions),
  seed: z.number().int(),
  jsShare: z.number().min(0).max(1),
  valueBytes: size.min(1),
  giantBlob: size,
  giantWrite: size,
});

/** Writes the dump and prints its summary. *Fails* with OperatorError where it cannot be written. */
export async function runGenerate(argv: unknown): Promise<void> {
  const { out, checkpoints, forks, giantBlob, giantWrite, ...asked } = decoded.parse(argv);
  const wanted: Partial<DumpSettings> = { ...asked, giantBlobBytes: giantBlob, giantWriteBytes: giantWrite };
  const settings = dumpOf(checkpoints, forks === undefined ? wanted : { ...wanted, forks });
  const summary = await writeDump(settings, out);
  (out === '-' ? process.stderr : process.stdout).write(`${summaryJson(summary)}\n`);
}
