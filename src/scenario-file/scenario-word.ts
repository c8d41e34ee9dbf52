/** What a user may name for a race: a scenario or an experiment by name, or a file by its path. */
import { scenarios } from '#trials/scenarios/registry.ts';
import { experiments } from '../experiments/registry.ts';

/** True for what is a path and not a name. */
export function isScenarioFile(word: string): boolean {
  return /[\\/]/.test(word) || /\.[cm]?[jt]s$/.test(word);
}

/** The word, if it may be raced. *Fails* with RangeError that lists the names there are. */
export function scenarioWord(word: unknown): string {
  const text = String(word);
  const names = [...scenarios, ...experiments].map(({ name }) => name);
  if (isScenarioFile(text) || names.includes(text)) return text;
  throw new RangeError(
    `race: there is no scenario ${text}; there are ${names.join(', ')}, or give a file such as ./my-scenario.ts.`,
  );
}
