/** What tests read of a series that was raced: its arms, and what the audit says of its run directory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Workplace } from './program.ts';

interface AuditJson {
  readonly verdict: string;
  readonly totals: {
    readonly threads: number;
    readonly undeclaredForks: number;
    readonly findings: Record<string, number>;
  };
  readonly threads: readonly {
    readonly thread: string;
    readonly log: Record<string, number>;
    readonly findings: readonly { readonly kind: string; readonly because: string }[];
    readonly namespaces: readonly {
      readonly roots: readonly string[];
      readonly executions: { readonly tree: Record<string, number>; readonly head: Record<string, number> };
      readonly hidden: Record<string, number>;
      readonly forks: readonly { readonly verdict: string; readonly class: string }[];
    }[];
  }[];
}

interface Arm {
  readonly arm: string;
  readonly outcomes: readonly {
    readonly key: string;
    readonly values: readonly { readonly value: unknown }[];
  }[];
  readonly overlapped: unknown;
}

/** The arms of the last series below a folder. */
export function armsOf(out: string): readonly Arm[] {
  const file = join(out, 'latest', 'series.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly arms: readonly Arm[] }).arms;
}

/** The values that an outcome had in an arm. */
export function valuesOf(arm: Arm | undefined, key: string): readonly unknown[] {
  return (arm?.outcomes.find((outcome) => outcome.key === key)?.values ?? []).map(({ value }) => value);
}

/** The verdict on each arm of the last series below a folder; null: the arm claims nothing. */
export function verdictsOf(out: string): readonly (readonly [string, string | null])[] {
  const file = join(out, 'latest', 'series.json');
  const { matrices } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly matrices: readonly {
      readonly arms: readonly {
        readonly arm: string;
        readonly verdict: { readonly outcome: string } | null;
      }[];
    }[];
  };
  return matrices.flatMap(({ arms }) =>
    arms.map(({ arm, verdict }) => [arm, verdict?.outcome ?? null] as const),
  );
}

/** Audits a run directory with every thread; the audit must not complain. */
export async function audit(place: Workplace, folder: string): Promise<AuditJson> {
  const { stdout, stderr } = await place.run('audit', folder, '--format', 'json', '--all-threads');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as AuditJson;
}
