/**
 * Which process is meant, and does it still run? A pid alone does not say: it is used again once its process has been
 * reaped, and a killed process whose parent never reaps it stays in the table as a zombie for ever (containers without
 * an init). On Linux a process is therefore its pid and its start time, and a zombie counts as gone.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { codeOf } from './sqlstate.ts';

/** One process of this machine, told apart from later processes of the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot at which it started (field 22 of `/proc/<pid>/stat`); null where there is no /proc. */
  readonly startTicks: string | null;
}

/** Names a process that runs now. Take it at once after the start, while the pid cannot mean another one. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startTicks: readStat(pid)?.startTicks ?? null };
}

/** Whether this very process still runs. Without /proc only the pid can be compared. */
export function isRunning(process: ProcessIdentity): boolean {
  const stat = readStat(process.pid);
  if (stat !== null) {
    const same = process.startTicks === null || process.startTicks === stat.startTicks;
    return same && stat.state !== 'Z' && stat.state !== 'X';
  }
  return process.startTicks === null && pidExists(process.pid);
}

/**
 * Sends a signal to this very process, or to every process of the group it leads. Returns whether anything was there.
 * A group outlives its leader, and as long as it exists its number names no new process; so a leader that has ended is
 * no obstacle, while one with another start time is.
 */
export function sendSignal(
  process: ProcessIdentity,
  signal: NodeJS.Signals,
  whole: 'process' | 'group',
): boolean {
  if (whole === 'process' ? !isRunning(process) : isAnother(process)) return false;
  try {
    return globalThis.process.kill(whole === 'group' ? -process.pid : process.pid, signal);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

function isAnother(process: ProcessIdentity): boolean {
  const stat = readStat(process.pid);
  return stat !== null && process.startTicks !== null && stat.startTicks !== process.startTicks;
}

/**
 * Processes whose working folder is `folder` or lies in it, zombies excluded. Linux only; none elsewhere.
 * Finds what no pid was noted for: the children of a killed server, and those of a killed initdb.
 * Cost: one `readlink` per process of the machine.
 */
export function processesIn(folder: string): readonly ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (const name of listProc()) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const at = readlinkSync(`/proc/${name}/cwd`).replace(/ \(deleted\)$/, '');
      if (at === folder || at.startsWith(`${folder}/`)) found.push(identifyProcess(pid));
    } catch {
      // It ended meanwhile, is a zombie, or belongs to somebody else.
    }
  }
  return found;
}

/**
 * Waits, looking every few milliseconds, until `condition` holds; false when `timeoutMs` have passed before. It looks
 * once more after that time, since on a starved machine the time may pass between two looks.
 */
export async function holdsWithin(timeoutMs: number, condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const isLast = performance.now() >= deadline;
    if (condition()) return true;
    if (isLast) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

interface Stat {
  readonly state: string;
  readonly startTicks: string;
}

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name stands in parentheses and may itself hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === undefined || startTicks === undefined ? null : { state, startTicks };
  } catch {
    return null;
  }
}

function listProc(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

function pidExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
