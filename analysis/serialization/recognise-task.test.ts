import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '../model/identifiers.ts';
import { recogniseTasks, type Recognition, type TaskCandidates } from './recognise-task.ts';
import {
  loadHashes,
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
  failed: ['8ace1b8b-3ed5-8436-c820-9e35c27753d1' as TaskId],
};

function idOf(formula: TaskIdFormula, node: string, origin: TaskOrigin): TaskId {
  const id = hashes.taskId(formula, place, node as NodeName, origin);
  if (id === null) throw new Error('the parent id is well-formed');
  return id;
}

function recognise(id: TaskId, budget?: number): Recognition {
  return recogniseTasks(hashes, place, candidates, new Set([id]), budget);
}

const origins = fc.oneof(
  fc
    .constantFrom('a', 'b', 'c')
    .map((node): [string, TaskOrigin] => [node, { kind: 'pull', triggers: channels(`branch:to:${node}`) }]),
  fc
    .subarray(['branch:to:b', 'join:a+c:b', 'join:c:b'], { minLength: 1 })
    .map((set): [string, TaskOrigin] => ['b', { kind: 'pull', triggers: channels(...set) }]),
  fc
    .constantFrom(0, 1, 2)
    .map((index): [string, TaskOrigin] => [
      candidates.sends instanceof Array ? (candidates.sends[index] ?? '') : '',
      { kind: 'push', index },
    ]),
  fc
    .record({
      node: fc.constantFrom('a', 'b', 'c'),
      caller: fc.constantFrom('a', 'b', 'c'),
      index: fc.nat(1),
    })
    .map(({ node, caller, index }): [string, TaskOrigin] => [
      node,
      { kind: 'call', caller: ['__pregel_pull', caller], index },
    ]),
  fc
    .constantFrom('a', 'b', 'c')
    .map((node): [string, TaskOrigin] => [
      node,
      { kind: 'call', caller: ['__pregel_push', ['__pregel_pull', 'a'], 1, true], index: 0 },
    ]),
  fc
    .constantFrom('a', 'b', 'c')
    .map((node): [string, TaskOrigin] => [
      node,
      { kind: 'handler', failed: '8ace1b8b-3ed5-8436-c820-9e35c27753d1' as TaskId },
    ]),
);

test('whatever origin is among the candidates is recognised, with its node and kind', () => {
  fc.assert(
    fc.property(origins, fc.constantFrom<TaskIdFormula>('js', 'python'), ([node, origin], formula) => {
      const id = idOf(formula, node, origin);
      const { tasks, exhausted } = recognise(id);
      expect(tasks.get(id)).toEqual({ node, kind: origin.kind, formula });
      expect(exhausted).toBe(false);
    }),
  );
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
  const first = idOf('js', 'a', { kind: 'pull', triggers: channels('branch:to:a') });
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
