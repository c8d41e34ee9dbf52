/** The versions a series ran with: two series of different versions must not be pooled. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../package-root.ts';
import type { SeriesSettings } from '../rundir/series-file.ts';

const manifestSchema = z.object({ version: z.string() });

/** The version of forkscope itself. */
export function forkscopeVersion(): string {
  return versionIn(join(packageRoot, 'package.json'));
}

/** Versions of everything that decides what rows look like. */
export function seriesVersions(postgres: string): SeriesSettings['versions'] {
  return {
    forkscope: forkscopeVersion(),
    node: process.versions.node,
    langgraph: installed('@langchain/langgraph'),
    checkpoint: installed('@langchain/langgraph-checkpoint'),
    saver: installed('@langchain/langgraph-checkpoint-postgres'),
    postgres,
  };
}

function installed(name: string): string {
  return versionIn(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

function versionIn(path: string): string {
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).version;
}
