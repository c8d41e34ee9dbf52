/**
 * A worker that stands still for a while: SIGSTOP, and SIGCONT later. It is what a long collection, a frozen container or
 * a suspended machine does to it: no code of it runs, and its connections stay open. Easy to get wrong: a stopped
 * process does not end by itself, so whatever happens it is woken.
 */
import { kill } from 'node:process';

/** Stops the process now and wakes it after `ms`. The answer wakes it at once; it may be called again. */
export function pauseProcess(pid: number, ms: number): () => void {
  let isStopped = true;
  kill(pid, 'SIGSTOP');
  const wake = (): void => {
    clearTimeout(timer);
    if (!isStopped) return;
    isStopped = false;
    try {
      kill(pid, 'SIGCONT');
    } catch {
      // It was killed meanwhile.
    }
  };
  const timer = setTimeout(wake, ms);
  return wake;
}
