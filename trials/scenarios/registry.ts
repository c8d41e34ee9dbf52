/** Every built-in scenario by name; feeds the command line's choices, its help and `forkscope trials`. */
import type { Scenario } from '../scenario.ts';
import { disconnect } from './disconnect.ts';
import { doubleResume } from './double-resume.ts';
import { doublePost } from './double-post.ts';
import { freshThread } from './fresh-thread.ts';
import { latePut } from './late-put.ts';
import { proxy } from './proxy.ts';
import { reconnect } from './reconnect.ts';
import { regenerate } from './regenerate.ts';
import { resumeRace } from './resume-race.ts';
import { serial } from './serial.ts';
import { undeclaredKey } from './undeclared-key.ts';
import { unknownEffect } from './unknown-effect.ts';

/** In the order lists show them; the first is the default. */
export const scenarios: readonly [Scenario, ...Scenario[]] = [
  doublePost,
  latePut,
  freshThread,
  serial,
  disconnect,
  proxy,
  resumeRace,
  doubleResume,
  reconnect,
  regenerate,
  undeclaredKey,
  unknownEffect,
];

/** The scenario of that name; null when there is none. */
export function scenarioNamed(name: string): Scenario | null {
  return scenarios.find((scenario) => scenario.name === name) ?? null;
}
