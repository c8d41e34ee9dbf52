import { describe, expect, it } from 'vitest';
import { RunQueue } from './run-queue.ts';

async function all(queue: RunQueue<string>): Promise<readonly string[]> {
  const told: string[] = [];
  for await (const event of queue.events()) told.push(event);
  return told;
}

describe('the queue between a run and its listener', () => {
  it('gives events in order, also those that come while it is listened to', async () => {
    const queue = new RunQueue<string>(4);
    queue.push('a');
    const told = all(queue);
    await Promise.resolve();
    queue.push('b');
    queue.end('over');
    expect(await told).toEqual(['a', 'b', 'over']);
  });

  it('drops the oldest of too many and never the last', async () => {
    const queue = new RunQueue<string>(2);
    for (const event of ['a', 'b', 'c', 'd']) queue.push(event);
    queue.end('over');
    queue.push('too late');
    expect(await all(queue)).toEqual(['c', 'd', 'over']);
  });

  it('ends for a listener that has left, and takes what is pushed after', async () => {
    const queue = new RunQueue<string>(2);
    const told = all(queue);
    queue.stopListening();
    queue.push('a');
    expect(await told).toEqual([]);
  });
});
