import { describe, expect, test } from 'vitest';
import { parseEffectsMap, recognisedMapping } from './effects-map.ts';

describe('a mapping of log fields', () => {
  test('is read from one text or several', () => {
    const expected = new Map([
      ['thread', 'session id'],
      ['node', 'action.name'],
      ['time', 'at'],
    ]);
    expect(parseEffectsMap(['thread=session id, node=action.name,time=at'])).toEqual(expected);
    expect(parseEffectsMap(['thread=session id', 'node=action.name', 'time=at,'])).toEqual(expected);
  });

  test.each([
    ['', 'which field is the thread'],
    ['thread=a', 'which field is the node'],
    ['thread=a,node', 'the keys are thread, node'],
    ['thread=a,node=', 'is no key=field'],
    ['thread=a,node=b,checkpoint_id=c', 'the keys are thread, node'],
    ['thread=a,node=b,thread=c', 'twice'],
    ['thread=a,node=b,namespace=c,taskNamespace=d', 'not both'],
  ])('%j is refused, saying what to write', (text, message) => {
    expect(() => parseEffectsMap([text])).toThrow(message);
  });

  test('is recognised by the fields that are there', () => {
    const own = ['thread', 'node', 'worker', 'wall_ms', 'seq', 'checkpoint_ns'];
    expect(recognisedMapping(new Set(own))?.origin).toBe('forkscope');
    expect(recognisedMapping(new Set(own))?.map.get('namespace')).toBe('checkpoint_ns');
    expect(recognisedMapping(new Set(['ts', 'thread', 'node']))?.origin).toBe('langgraph');
    expect(recognisedMapping(new Set(['ts', 'thread', 'node']))?.map.get('taskNamespace')).toBe(
      'checkpoint_ns',
    );
    expect(recognisedMapping(new Set(['thread', 'node', 'time']))).toBeNull();
  });
});
