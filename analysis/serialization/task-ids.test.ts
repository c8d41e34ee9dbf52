import { beforeAll, expect, test } from 'vitest';
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '../model/identifiers.ts';
import {
  idBytes,
  loadHashes,
  taskNamespace,
  type TaskIdHashes,
  type TaskOrigin,
  type TaskPlace,
} from './task-ids.ts';
import { readTaskPath, taskPathText } from './task-path.ts';

let hashes: TaskIdHashes;
beforeAll(async () => {
  hashes = await loadHashes();
});

const node = (name: string): NodeName => name as NodeName;
const pullBy = (...triggers: string[]): TaskOrigin => ({ kind: 'pull', triggers: triggers as ChannelName[] });
const at = (step: number, parent = '1f1ed02d-1506-6360-8000-5d4346ddea6d', namespace = ''): TaskPlace => ({
  parent: parent as CheckpointId,
  namespace: namespace as Namespace,
  step,
});

test('a JS pull has the id that @langchain/langgraph 1.7.3 stored', () => {
  expect(hashes.taskId('js', at(1), node('a'), pullBy('branch:to:a'))).toBe(
    '37b88bf3-8b58-5711-b209-29ae261c19a4',
  );
});

test.each([
  ['a pull', 'python', 1, 'a', pullBy('branch:to:a'), '8c04ac80-282e-3987-1840-590b1809d50d'],
  [
    'a pull on a row of format 1',
    'python-v1',
    1,
    'a',
    pullBy('branch:to:a'),
    'e0bb579c-1e21-a4c9-86bf-76ab16d50c71',
  ],
  ['a Send', 'python', 2, 'w', { kind: 'push', index: 0 }, '0071843c-637d-ea70-dbdd-b065c03bc142'],
  [
    'a functional call',
    'python',
    0,
    't1',
    { kind: 'call', caller: ['__pregel_pull', 'wf'], index: 0 },
    '8ace1b8b-3ed5-8436-c820-9e35c27753d1',
  ],
] as const)('%s of Python has the id its own hash functions give', (_, formula, step, name, origin, id) => {
  expect(hashes.taskId(formula, at(step), node(name), origin)).toBe(id);
});

test('a parent id of step -1, whose variant no UUID library accepts, works like any other', () => {
  // The first superstep of a recorded race: the parent is the first input's row.
  const place = at(0, '1f1ed063-05b6-6a00-ffff-7f71ca877122');
  expect(hashes.taskId('js', place, node('__start__'), pullBy('__start__'))).toBe(
    'b11e21c2-6ff6-58d7-a64c-dc251e989784',
  );
});

test('a parent id that is not 32 hex digits has no task ids', () => {
  for (const parent of [
    '',
    'not-an-id',
    '1f1ed02d-1506-6360-8000-5d4346ddea6',
    '１f1ed02d150663608000-5d4346ddea6d',
  ]) {
    expect(hashes.taskId('js', at(1, parent), node('a'), pullBy('branch:to:a'))).toBeNull();
  }
  expect(idBytes('FF'.repeat(16))).toEqual(new Uint8Array(16).fill(255));
});

test('ids depend on every part: formula, parent, namespace, step, name and origin', () => {
  const ids = [
    hashes.taskId('js', at(1), node('a'), pullBy('t')),
    hashes.taskId('python', at(1), node('a'), pullBy('t')),
    hashes.taskId('python-v1', at(1), node('a'), pullBy('t')),
    hashes.taskId('js', at(2), node('a'), pullBy('t')),
    hashes.taskId('js', at(1, '1f1ed02d-1506-6360-8000-5d4346ddea6e'), node('a'), pullBy('t')),
    hashes.taskId('js', at(1, undefined, 'sub:x'), node('a'), pullBy('t')),
    hashes.taskId('js', at(1), node('b'), pullBy('t')),
    hashes.taskId('js', at(1), node('a'), pullBy('t', 'u')),
    hashes.taskId('js', at(1), node('a'), { kind: 'push', index: 0 }),
    hashes.taskId('js', at(1), node('a'), { kind: 'push', index: 1 }),
    hashes.taskId('js', at(1), node('a'), { kind: 'call', caller: ['__pregel_pull', 'wf'], index: 1 }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test('an interrupt id is a hash of the task namespace, and in JS of the answers before it', () => {
  // As stored by JS 1.7.3 and by Python 1.2.12.
  expect(hashes.interruptId('left:ea591e34-ea14-5298-853b-fb7f11e99a23')).toBe(
    'b3b30f4baa3c9303148b2e6339d715b4',
  );
  expect(hashes.interruptId('approve:b53f7a4e-ef9d-0dd2-d6b8-0d0c9a393abe')).toBe(
    '0184f4738ae1bb02614218150d50adcc',
  );
  expect(hashes.interruptId('a:b', 0)).toBe(hashes.interruptId('a:b'));
  expect(hashes.interruptId('a:b', 2)).toBe(hashes.interruptId('a:b|2'));
});

test('what update_state writes stands under an id of its own', () => {
  // Stored by JS 1.2.7 for an update of an interrupted thread.
  const parent = '1f1ed0da-793e-6000-8001-98e69798d84a' as CheckpointId;
  expect(hashes.markId(parent, '__interrupt__')).toBe('3731d738-c4cf-54c8-88d2-9106169c56f4');
  expect(hashes.markId(parent, '__interrupt__:1')).not.toBe('3731d738-c4cf-54c8-88d2-9106169c56f4');
  expect(hashes.markId('no id' as CheckpointId, '__interrupt__')).toBeNull();
});

test('a task’s own namespace is nested in that of its row', () => {
  const id = '37b88bf3-8b58-5711-b209-29ae261c19a4' as TaskId;
  expect(taskNamespace(at(1), node('a'), id)).toBe(`a:${id}`);
  expect(taskNamespace(at(1, undefined, 'sub:x'), node('a'), id)).toBe(`sub:x|a:${id}`);
});

test('a path is written as Python stores it, nested callers included', () => {
  expect(taskPathText(['__pregel_pull', 'plan'])).toBe('~__pregel_pull, plan');
  expect(taskPathText(['__pregel_push', 3, false])).toBe('~__pregel_push, 0000000003, 0000000000');
  expect(taskPathText(['__pregel_push', ['__pregel_pull', 'wf'], 1, true])).toBe(
    '~__pregel_push, ~__pregel_pull, wf, 0000000001, 0000000001',
  );
  expect(taskPathText(['__pregel_push', ['__pregel_push', ['__pregel_pull', 'wf'], 1, true], 2, true])).toBe(
    '~__pregel_push, ~__pregel_push, ~__pregel_pull, wf, 0000000001, 0000000001, 0000000002, 0000000001',
  );
});

test('a stored path is read back as far as it can be', () => {
  expect(readTaskPath('~__pregel_pull, plan')).toEqual({ kind: 'pull', node: 'plan' });
  expect(readTaskPath('~__pregel_pull, a, b')).toEqual({ kind: 'pull', node: 'a, b' });
  expect(readTaskPath('~__pregel_push, 0000000003, 0000000000')).toEqual({ kind: 'push', index: 3 });
  expect(readTaskPath('~__pregel_push, 0000000012')).toEqual({ kind: 'push', index: 12 });
  expect(readTaskPath('~__pregel_push, ~__pregel_pull, wf, 0000000001, 0000000001')).toEqual({
    kind: 'call',
    caller: '~__pregel_pull, wf',
    index: 1,
  });
  expect(readTaskPath('~__pregel_pull, bad, node_error_handler, 0000000000')).toEqual({
    kind: 'handler',
    failed: 'bad',
  });
  expect(readTaskPath('~__interrupt__, 0000000000')).toEqual({ kind: 'update' });
  expect(readTaskPath('')).toBeNull();
  expect(readTaskPath('something else')).toBeNull();
});
