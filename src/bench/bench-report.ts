/**
 * How does a benchmark's result read? As a table with the machine above it, or as one JSON document
 * (`forkscope-bench/1`). A scale below 1 is said in both: such figures are no measurement of the real thing.
 */
import Table from 'cli-table3';
import { plain, plainBorders } from '../report/style.ts';
import type { Measure } from './benchmark.ts';
import type { Machine } from './machine.ts';

/** One benchmark's answer and what it depends on. */
export interface BenchResult {
  readonly format: 'forkscope-bench/1';
  readonly benchmark: string;
  /** 1 is the full size. */
  readonly scale: number;
  readonly machine: Machine;
  readonly measures: readonly Measure[];
}

/** The result as JSON, indented, without a final line feed. */
export function benchJson(result: BenchResult): string {
  return JSON.stringify(result, null, 2);
}

/** The result as a table under the machine's facts, without a final line feed. */
export function benchText({ benchmark, scale, machine, measures }: BenchResult): string {
  const size = scale === 1 ? 'full size' : `at ${scale} of its full size, so without bars`;
  const memory = `${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  const cores = `${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}`;
  const facts = [machine.cpu ?? 'processor unknown', cores, memory, `Node ${machine.node}`, machine.platform];
  const hasBars = measures.some(({ bar }) => bar !== undefined);
  const table = new Table({
    ...plainBorders(plain),
    head: ['measure', 'value', 'unit', ...(hasBars ? ['bar', 'holds'] : [])],
    colAligns: ['left', 'right', 'left', 'left', 'left'],
  });
  for (const { measure, value, unit, bar, holds } of measures) {
    const judgement = bar === undefined ? ['', ''] : [bar, holds ? 'yes' : 'NO'];
    table.push([measure, numberText(value), unit, ...(hasBars ? judgement : [])]);
  }
  return [`${benchmark}: ${size}`, facts.join(' · '), table.toString()].join('\n');
}

/** Three significant digits for small numbers, whole ones for large: 0.0123, 1.23, 1,234,567. */
function numberText(value: number): string {
  const whole = Math.abs(value) >= 100 || Number.isInteger(value);
  return value.toLocaleString('en', whole ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
