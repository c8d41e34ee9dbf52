/**
 * As whom does the server run? As whoever runs this program, except for root, as whom Postgres refuses to run: then
 * as `nobody`, an account every Unix has, so that none is created and left behind.
 */
import { readFile } from 'node:fs/promises';
import type { UserIds } from './gated-process.ts';

/** What Linux distributions agree on; used where /etc/passwd does not name the account. */
const usualNobody: UserIds = { uid: 65_534, gid: 65_534 };

/** The ids the server has to run as; null when it can run as the present user. */
export async function serverUser(): Promise<UserIds | null> {
  if (process.getuid?.() !== 0) return null;
  try {
    return nobodyIn(await readFile('/etc/passwd', 'utf8')) ?? usualNobody;
  } catch {
    return usualNobody; // a container image without accounts
  }
}

/** The ids of `nobody` in the text of a passwd file; null when it is not listed there, or listed as root. */
export function nobodyIn(passwd: string): UserIds | null {
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name !== 'nobody' || uid === undefined || gid === undefined) continue;
    if (/^[1-9]\d*$/.test(uid) && /^\d+$/.test(gid)) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}
