import { describe, expect, it } from 'vitest';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { leaveQuestion } from './leave-signal.ts';

const moment = { service: 'provider', moment: 'committed' } as const;
const run = 't/first' as RunToken;
const never = new AbortController().signal;

/** A service whose answer is in the test's hands; its question ends when it is withdrawn. */
function service() {
  let answer = (): void => undefined;
  let fail: (error: Error) => void = () => undefined;
  const asked: AbortSignal[] = [];
  const ask = (_moment: unknown, _run: RunToken, signal: AbortSignal): Promise<void> => {
    asked.push(signal);
    return new Promise((resolve, reject) => {
      answer = resolve;
      fail = reject;
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  };
  return {
    ask,
    asked,
    answer: () => {
      answer();
    },
    fail: (error: Error) => {
      fail(error);
    },
  };
}

describe('when a client leaves', () => {
  it('asks nothing for a client that is not to leave', async () => {
    const { ask, asked } = service();
    const question = leaveQuestion(undefined, run, ask, never);
    expect([question.leave, asked]).toEqual([null, []]);
    await question.end();
  });

  it('is when the service says so, and not before', async () => {
    const { ask, answer } = service();
    const question = leaveQuestion(moment, run, ask, never);
    await Promise.resolve();
    expect(question.leave?.aborted).toBe(false);
    answer();
    await question.end();
    expect(question.leave?.aborted).toBe(true);
  });

  it('is never when the run ends without coming so far: the question is withdrawn and nobody leaves', async () => {
    const { ask, asked } = service();
    const question = leaveQuestion(moment, run, ask, never);
    await question.end();
    expect([asked[0]?.aborted, question.leave?.aborted]).toEqual([true, false]);
  });

  it('fails where the service fails, for whoever ends the question', async () => {
    const { ask, fail } = service();
    const question = leaveQuestion(moment, run, ask, never);
    fail(new Error('the provider is gone'));
    // The failure is known before the question is ended; it must not count as unhandled meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(question.end()).rejects.toThrow('the provider is gone');
    expect(question.leave?.aborted).toBe(false);
  });

  it('fails when the trial is stopped before the question is ended', async () => {
    const trial = new AbortController();
    const { ask } = service();
    const question = leaveQuestion(moment, run, ask, trial.signal);
    trial.abort(new Error('the series was stopped'));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(question.end()).rejects.toThrow('the series was stopped');
  });
});
