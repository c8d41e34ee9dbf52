import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '../model/identifiers.ts';
import { recogniseTasks, type Recognition, type TaskCandidates } from './recognise-task.ts';
import {
  loadHashes,
  taskNamespace,
  type TaskIdFormula,
  type TaskIdHashes,
  type TaskOrigin,
  type TaskPlace,
} from './task-ids.ts';

let hashes: TaskIdHashes;
beforeAll(async () => {
  hashes = await loadHashes();
});

const place: TaskPlace = {
  parent: '1f1ed02d-1506-6360-8000-5d4346ddea6d' as CheckpointId,
  namespace: 'outer:6778eec5-0c3b-207d-5496-0b57cd67941e' as Namespace,
  step: 4,
};
const nodes = ['a', 'b', 'c'] as NodeName[];
const channels = (...names: string[]): ChannelName[] => names as ChannelName[];
const candidates: TaskCandidates = {
  formulas: ['js', 'python'],
  nodes,
  triggers: new Map([['b' as NodeName, channels('join:a+c:b', 'join:c:b')]]),
  sends: ['c', 'a', 'c'] as NodeName[],
  callsPerCaller: 2,
  failed: [],
};

function idOf(formula: TaskIdFormula, node: string, origin: TaskOrigin, at: TaskPlace = place): TaskId {
  const id = hashes.taskId(formula, at, node as NodeName, origin);
  if (id === null) throw new Error('the parent id is well-formed');
  return id;
}

function pullOf(node: string): TaskOrigin {
  return { kind: 'pull', triggers: channels(`branch:to:${node}`) };
}

/** The place from which a task's calls and its error handler are hashed. */
function inside(node: string, id: TaskId, at: TaskPlace = place): TaskPlace {
  return { ...at, namespace: taskNamespace(at, node as NodeName, id) };
}

function recognise(id: TaskId, budget?: number): Recognition {
  return recogniseTasks(hashes, place, candidates, new Set([id]), budget);
}

const formulas = fc.constantFrom<TaskIdFormula>('js', 'python');
const someNode = fc.constantFrom('a', 'b', 'c');
const planned = fc.oneof(
  someNode.map((node): [string, TaskOrigin] => [node, pullOf(node)]),
  fc
    .subarray(['branch:to:b', 'join:a+c:b', 'join:c:b'], { minLength: 1 })
    .map((set): [string, TaskOrigin] => ['b', { kind: 'pull', triggers: channels(...set) }]),
  fc
    .constantFrom(0, 1, 2)
    .map((index): [string, TaskOrigin] => [['c', 'a', 'c'][index] ?? '', { kind: 'push', index }]),
);

test('whatever pull or Send is among the candidates is recognised, with its node and kind', () => {
  fc.assert(
    fc.property(planned, formulas, ([node, origin], formula) => {
      const id = idOf(formula, node, origin);
      const { tasks, exhausted } = recognise(id);
      expect(tasks.get(id)).toEqual({ node, kind: origin.kind, formula });
      expect(exhausted).toBe(false);
    }),
  );
});

test('a call is recognised from its caller, though the caller itself has left no rows', () => {
  fc.assert(
    fc.property(someNode, someNode, fc.nat(1), formulas, (node, caller, index, formula) => {
      const at = inside(caller, idOf(formula, caller, pullOf(caller)));
      const id = idOf(formula, node, { kind: 'call', caller: ['__pregel_pull', caller], index }, at);
      expect(recognise(id).tasks.get(id)).toEqual({ node, kind: 'call', formula });
    }),
  );
});

test('a call made by a call is recognised once the first call is', () => {
  const outerPlace = inside('a', idOf('js', 'a', pullOf('a')));
  const outer = idOf('js', 'b', { kind: 'call', caller: ['__pregel_pull', 'a'], index: 1 }, outerPlace);
  const callOfOuter: TaskOrigin = {
    kind: 'call',
    caller: ['__pregel_push', ['__pregel_pull', 'a'], 1, true],
    index: 0,
  };
  const inner = idOf('js', 'c', callOfOuter, inside('b', outer, outerPlace));
  const { tasks } = recogniseTasks(hashes, place, candidates, new Set([outer, inner]));
  expect(tasks.get(inner)).toEqual({ node: 'c', kind: 'call', formula: 'js' });
  expect(recognise(inner).tasks.size).toBe(0);
});

test('an error handler is recognised from the task that failed, by its default name or a known one', () => {
  const failed = idOf('python', 'b', pullOf('b'));
  for (const node of ['__error_handler__b', 'c']) {
    const id = idOf('python', node, { kind: 'handler', failed }, inside('b', failed));
    expect(recognise(id).tasks.size).toBe(0);
    const withFailure = { ...candidates, failed: [failed] };
    expect(recogniseTasks(hashes, place, withFailure, new Set([id])).tasks.get(id)).toMatchObject({
      node,
      kind: 'handler',
    });
  }
});

test('an id of another step or checkpoint is not recognised', () => {
  const other = hashes.taskId('js', { ...place, step: 5 }, 'a' as NodeName, {
    kind: 'pull',
    triggers: channels('branch:to:a'),
  });
  expect(recognise(other as TaskId).tasks.size).toBe(0);
});

test('where only the number of Sends is known, every node is tried at each index', () => {
  const id = idOf('python', 'b', { kind: 'push', index: 1 });
  expect(recognise(id).tasks.size).toBe(0);
  const { tasks } = recogniseTasks(hashes, place, { ...candidates, sends: 2 }, new Set([id]));
  expect(tasks.get(id)).toMatchObject({ node: 'b', kind: 'push' });
});

test('the search stops when all wanted ids are found, and says so when its budget ends first', () => {
  const first = idOf('js', 'a', pullOf('a'));
  expect(recognise(first)).toMatchObject({ hashed: 1, exhausted: false });
  expect(recognise('no such id' as TaskId, 10)).toMatchObject({ hashed: 10, exhausted: true });
});

test('a node with many triggers is tried with all of them, each and each pair, not with every subset', () => {
  const many = Array.from({ length: 20 }, (_, index) => `join:n${String(index).padStart(2, '0')}:a`);
  const alone: TaskCandidates = {
    formulas: ['python'],
    nodes: ['a' as NodeName],
    triggers: new Map([['a' as NodeName, channels(...many)]]),
    sends: [],
    callsPerCaller: 0,
    failed: [],
  };
  const all = idOf('python', 'a', { kind: 'pull', triggers: channels('branch:to:a', ...many) });
  expect(recogniseTasks(hashes, place, alone, new Set([all])).tasks.size).toBe(1);
  const { hashed } = recogniseTasks(hashes, place, alone, new Set(['no such id' as TaskId]));
  expect(hashed).toBe(21 + 1 + 210);
});
