/** Exit codes, the same for every command; `--help` prints them from here. */
import type { Verdict } from '#analysis/model/finding.ts';

/** What a process says when it ends. */
export const exitCodes = {
  valid: 0,
  invalid: 1,
  unknown: 2,
  badArguments: 64,
  failure: 70,
  interrupted: 130,
} as const;

/** The foot of every `--help`. */
export const exitCodeHelp = [
  'Exit codes:',
  '  0    valid: no error-level finding, and no threshold of --fail-on broken',
  '  1    invalid: at least one error-level finding, or a threshold of --fail-on broken',
  '  2    unknown: nothing wrong found, but some threads cannot be judged, or too few trials completed',
  '  64   bad arguments',
  '  70   the environment failed, or forkscope has a bug',
  '  130  interrupted',
].join('\n');

/** The exit code of a verdict; `ok` makes what cannot be judged good enough. */
export function exitCodeOf(verdict: Verdict, unknown: 'ok' | 'fail' = 'fail'): number {
  return verdict === 'unknown' && unknown === 'ok' ? exitCodes.valid : exitCodes[verdict];
}
