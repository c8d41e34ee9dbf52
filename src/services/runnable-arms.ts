/** Which arms this machine can run: a service may be a program of somebody else that is not installed. */
import type { Arm, NonEmpty } from '#trials/scenario.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { findNginx, nginxRemedy } from './nginx/find-nginx.ts';

/** Arms to run, and what to say of those that are left out; null: none is. */
export interface RunnableArms {
  readonly arms: NonEmpty<Arm>;
  readonly leftOut: string | null;
}

/**
 * Leaves out the arms whose services are not installed.
 * @throws {OperatorError} when no arm is left
 */
export function runnableArms(arms: NonEmpty<Arm>, hasNginx = findNginx() !== null): RunnableArms {
  const isMissing = ({ services }: Arm): boolean => !hasNginx && services.includes('nginx');
  const [first, ...others] = arms.filter((arm) => !isMissing(arm));
  const missing = arms.filter(isMissing).map(({ name }) => name);
  if (first === undefined)
    throw new OperatorError({
      happened: `nginx is not installed, which ${missing.join(', ')} ${missing.length === 1 ? 'needs' : 'need'}`,
      place: 'this machine',
      remedy: nginxRemedy,
    });
  if (missing.length === 0) return { arms: [first, ...others], leftOut: null };
  return {
    arms: [first, ...others],
    leftOut: `nginx is not installed, so ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} left out. ${nginxRemedy}`,
  };
}
