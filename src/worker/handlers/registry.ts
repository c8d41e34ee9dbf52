/** Every handler shape by name, for arms to choose from. Each is imported when a request needs it. */
import type { Handler } from './handler.ts';
import { outOfProcess } from './out-of-process.ts';

const handlers: ReadonlyMap<string, () => Promise<Handler>> = new Map<string, () => Promise<Handler>>([
  ['abort-signal', async () => (await import('./abort-signal.ts')).streamWithAbortSignal],
  ['for-await', async () => (await import('./for-await.ts')).streamUnguarded],
  ['break-on-close', async () => (await import('./break-on-close.ts')).streamUntilClosed],
  ['pipeline', async () => (await import('./pipeline.ts')).streamThroughPipeline],
  ['web-stream', async () => (await import('./web-stream.ts')).streamAsWebStream],
  ['reader-cancel', async () => (await import('./reader-cancel.ts')).streamWithReaderCancel],
  ['detached', async () => (await import('./detached.ts')).streamDetached],
  ['policy-abandon', async () => (await import('./policy.ts')).streamWithPolicy('abandon')],
  ['policy-complete', async () => (await import('./policy.ts')).streamWithPolicy('complete')],
  ['invoke', async () => (await import('./invoke.ts')).answerWithInvoke],
]);

/** The names there are. */
export const handlerNames: readonly string[] = [...handlers.keys(), outOfProcess];

/** Loads a handler; null when there is none of that name, and for the one that hands its run to a queue. */
export async function loadHandler(name: string): Promise<Handler | null> {
  return (await handlers.get(name)?.()) ?? null;
}
