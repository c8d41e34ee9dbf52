/**
 * Loads a scenario of the user's own from a JavaScript or TypeScript file. Easy to get wrong: the file imports LangGraph
 * from where it stands, which may be another copy than ours; where it has none of its own, it gets ours.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join, resolve } from 'node:path';
import { createJiti } from 'jiti';
import type { z } from 'zod';
import { parseRule } from '#analysis/invariants/parse-rule.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import { graphShapeOf } from '#trials/graph-shape.ts';
import type { BuildGraph } from '#trials/graph.ts';
import { plainArm, type Arm, type NonEmpty, type Scenario, type Stage } from '#trials/scenario.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { packageRoot } from '../package-root.ts';
import { guardNames } from '../worker/guards/registry.ts';
import { outOfProcess } from '../worker/handlers/out-of-process.ts';
import { handlerNames } from '../worker/handlers/registry.ts';
import { ownScenarioSchema, type OwnArm, type OwnScenario, type OwnStage } from './scenario-contract.ts';
import { errorText } from '../failure/error-text.ts';

/** Packages that a file without a node_modules of its own gets from ours. */
const shared = [
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  '@langchain/langgraph-checkpoint-postgres',
  '@langchain/core',
] as const;

/** Loads and checks the file, and compiles its graph once to see its shape. *Fails* with OperatorError. */
export async function loadScenarioFile(path: string): Promise<Scenario> {
  const file = resolve(path);
  const sha256 = createHash('sha256').update(bytesOf(file)).digest('hex');
  const own = await checked(file);
  const build = own.build as unknown as BuildGraph;
  const routes = own.routes ?? 'names';
  const nodes = await nodesOf(file, build, routes);
  const [first, ...others] = own.stages.map(stageOf);
  if (first === undefined) throw invalid(file, 'stages: there is no stage');
  const stages: NonEmpty<Stage> = [first, ...others];
  const [baseline, ...variants] = (own.arms ?? [{ name: plainArm.name }]).map((arm) => armOf(file, arm));
  if (baseline === undefined) throw invalid(file, 'arms: there is no arm');
  const unknown = [...(own.counted ?? []), ...(own.businessKey?.nodes ?? [])].find(
    (node) => !nodes.includes(node),
  );
  if (unknown !== undefined)
    throw invalid(file, `the graph has no node ${unknown}; it has ${nodes.join(', ')}`);
  const name = own.name ?? basename(file, extname(file)).replaceAll(/[^\w.-]/g, '-');
  return {
    name,
    summary: own.summary ?? `the scenario of ${basename(file)}`,
    claim: own.claim ?? 'requests that overlap fork the thread',
    file: { path: file, sha256 },
    graph: { name, routes, load: () => Promise.resolve(build) },
    stages,
    arms: [baseline, ...variants],
    defaultArms: 'all',
    racing: own.racing ?? racersOf(stages),
    businessKey: own.businessKey ?? { nodes: [], per: 'trial' },
    counted: own.counted ?? nodes,
    rules: (own.rules ?? []).map((text) => ruleOf(file, text)),
  };
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new OperatorError({
      happened: `the scenario cannot be read: ${errorText(cause)}`,
      place: file,
      remedy: 'Give the path of a scenario file; forkscope trials --init writes one to begin with.',
      cause,
    });
  }
}

async function checked(file: string): Promise<OwnScenario> {
  let exported: unknown;
  try {
    const jiti = createJiti(file, { fsCache: false, alias: aliasesFor(file) });
    exported = await jiti.import(file, { default: true });
  } catch (cause) {
    throw new OperatorError({
      happened: `the scenario cannot be loaded: ${errorText(cause)}`,
      place: file,
      remedy: 'Correct the file; it runs as a module of its own, with the packages of its folder.',
      cause,
    });
  }
  const parsed = ownScenarioSchema.safeParse(exported);
  if (parsed.success) return parsed.data as OwnScenario;
  throw invalid(file, parsed.error.issues.map(issueText).join('; '));
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'the default export' : path.map(String).join('.')}: ${message}`;
}

/** A name resolves from the file's folder or, failing that, from ours. */
function aliasesFor(file: string): Record<string, string> {
  const theirs = createRequire(file);
  const missing = shared.filter((name) => {
    try {
      theirs.resolve(name);
      return false;
    } catch {
      return true;
    }
  });
  return Object.fromEntries(missing.map((name) => [name, join(packageRoot, 'node_modules', name)]));
}

async function nodesOf(
  file: string,
  build: BuildGraph,
  routes: 'names' | 'anything',
): Promise<readonly string[]> {
  try {
    const unused = { perform: () => Promise.reject(new Error('this graph is only looked at')) };
    const shape = await graphShapeOf(build(unused, null), routes);
    return [...shape.nodes];
  } catch (cause) {
    throw invalid(file, `build: the graph cannot be compiled: ${errorText(cause)}`, cause);
  }
}

function stageOf({ requests, settle }: OwnStage): Stage {
  const [first, ...others] = requests.map(({ name, input, leavesAfterChunk, offsetMs, mayFail }) => ({
    name,
    input,
    disconnectAfterChunk: leavesAfterChunk ?? null,
    offsetMs: offsetMs ?? 0,
    ...(mayFail === true ? { mayFail } : {}),
  }));
  if (first === undefined) throw new RangeError('a stage has at least one request');
  return { requests: [first, ...others], settle: settle ?? 'run-ended' };
}

function armOf(file: string, own: OwnArm): Arm {
  const handler = own.handler ?? plainArm.handler;
  const guard = own.guard ?? plainArm.guard;
  if (!handlerNames.includes(handler))
    throw invalid(
      file,
      `arm ${own.name}: there is no handler ${handler}; there are ${handlerNames.join(', ')}`,
    );
  if (!guardNames.includes(guard))
    throw invalid(file, `arm ${own.name}: there is no guard ${guard}; there are ${guardNames.join(', ')}`);
  return {
    ...plainArm,
    name: own.name,
    summary: own.summary ?? `handler ${handler}, guard ${guard}`,
    handler,
    guard,
    versions: own.versions ?? plainArm.versions,
    durability: own.durability ?? null,
    services: [
      ...(own.chargesWithKey === undefined ? [] : ['provider']),
      ...(handler === outOfProcess ? ['queue'] : []),
    ],
    ...(own.chargesWithKey === undefined
      ? {}
      : { charging: { key: own.chargesWithKey, obeysSignal: false } }),
  };
}

function racersOf(stages: readonly Stage[]): readonly string[] {
  return stages.flatMap(({ requests }) => (requests.length > 1 ? requests.map(({ name }) => name) : []));
}

function ruleOf(file: string, text: string): CountRule {
  const parsed = parseRule(text);
  if (parsed.kind === 'rule') return parsed.rule;
  throw invalid(file, `rules: ${JSON.stringify(text)}: ${parsed.message}`);
}

function invalid(file: string, what: string, cause?: unknown): OperatorError {
  return new OperatorError({
    happened: `the scenario is not complete: ${what}`,
    place: file,
    remedy: 'See the contract in docs/own-scenarios.md, or begin with forkscope trials --init.',
    ...(cause === undefined ? {} : { cause }),
  });
}
