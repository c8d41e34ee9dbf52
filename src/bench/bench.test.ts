import { describe, expect, it } from 'vitest';
import { analysisSpeed } from './analysis-speed.ts';
import { benchJson, benchText, type BenchResult } from './bench-report.ts';
import { judged, scaled } from './benchmark.ts';
import { thisMachine } from './machine.ts';
import { benchmarks } from './registry.ts';

const machine = {
  cpu: 'A Processor',
  cores: 2,
  memoryBytes: 2 ** 33,
  node: '20.19.0',
  platform: 'linux-x64',
};

describe('benchmarks', () => {
  it('have names of their own', () => {
    const names = benchmarks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('measure the analysis of ordinary threads, a chain and a star', async () => {
    const measures = await analysisSpeed.run(0.01);
    expect(measures.map(({ measure, unit }) => [measure, unit])).toEqual([
      ['ordinary threads, first round', 'checkpoints/s'],
      ['ordinary threads, warm', 'checkpoints/s'],
      ['a chain of 1,000 checkpoints', 'ms'],
      ['a star of 100 checkpoints', 'ms'],
    ]);
    for (const { value, bar } of measures) {
      expect(value).toBeGreaterThan(0);
      expect(bar).toBeUndefined();
    }
  });

  it('judge a bar from either side, at full size only', () => {
    const measured = { measure: 'speed', value: 10, unit: 'MB/s' };
    expect(judged(measured, { atLeast: 10 }, 1)).toMatchObject({ bar: 'at least 10', holds: true });
    expect(judged(measured, { atLeast: 11 }, 1)).toMatchObject({ holds: false });
    expect(judged(measured, { atMost: 10 }, 1)).toMatchObject({ bar: 'at most 10', holds: true });
    expect(judged(measured, { atMost: 9 }, 1)).toMatchObject({ holds: false });
    expect(judged(measured, { atLeast: 11 }, 0.5)).toEqual(measured);
  });

  it('scale a count down, but never to nothing', () => {
    expect([scaled(100, 0.01), scaled(100, 0.001), scaled(100, 0.001, 2)]).toEqual([1, 1, 2]);
  });
});

describe('the result of a benchmark', () => {
  const result: BenchResult = {
    format: 'forkscope-bench/1',
    benchmark: 'speed',
    scale: 1,
    machine,
    measures: [
      { measure: 'reading', value: 1_234_567.8, unit: 'rows/s', bar: 'at least 2,000,000', holds: false },
      { measure: 'ratio', value: 1.23456, unit: '' },
    ],
  };

  it('names the machine and shows every measure, and a broken bar stands out', () => {
    const text = benchText(result);
    expect(text).toContain('speed: full size\nA Processor · 2 cores · 8.0 GiB · Node 20.19.0 · linux-x64\n');
    expect(text).toMatch(/reading │ 1,234,568 │ rows\/s │ at least 2,000,000 │ NO/);
    expect(text).toMatch(/ratio +│ +1\.23 │/);
  });

  it('has no columns for bars where nothing was judged, and says the scale', () => {
    const text = benchText({ ...result, scale: 0.01, measures: [{ measure: 'x', value: 3, unit: 'ms' }] });
    expect(text).toContain('at 0.01 of its full size, so without bars');
    expect(text).not.toContain('holds');
  });

  it('is the same as JSON', () => {
    expect(JSON.parse(benchJson(result))).toEqual(result);
  });

  it('knows the machine it runs on', () => {
    const here = thisMachine();
    expect(here.node).toBe(process.versions.node);
    expect(here.cores).toBeGreaterThanOrEqual(1);
    expect(here.memoryBytes).toBeGreaterThan(0);
  });
});
