import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { buildBooking } from './graphs/booking.ts';
import { graphShapeOf } from './graph-shape.ts';

const State = Annotation.Root({
  done: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});
const nothing = () => ({});

describe('the shape of a compiled graph', () => {
  it('is a line for the booking graph', async () => {
    const graph = buildBooking({ perform: () => Promise.reject(new Error('only the shape is asked')) }, null);
    expect(await graphShapeOf(graph, 'anything')).toEqual({
      nodes: ['plan', 'charge', 'notify', 'finish'],
      edges: [
        { from: null, to: 'plan' },
        { from: 'plan', to: 'charge' },
        { from: 'charge', to: 'notify' },
        { from: 'notify', to: 'finish' },
      ],
      barriers: [],
      unbounded: [],
      deferred: [],
    });
  });

  const mixed = () =>
    new StateGraph(State)
      .addNode('a', nothing)
      .addNode('b', nothing)
      .addNode('c', nothing)
      .addNode('d', nothing, { ends: ['a'] })
      .addNode('e', nothing)
      .addEdge(START, 'a')
      .addEdge('a', 'b')
      .addEdge('a', 'c')
      .addEdge(['b', 'c'], 'd')
      .addEdge('b', 'd')
      .addConditionalEdges('c', () => [new Send('e', {})], ['e', END])
      .compile();

  it('keeps a barrier apart from the plain edges it is drawn as, and keeps a plain edge beside it', async () => {
    const shape = await graphShapeOf(mixed(), 'names');
    expect(shape.barriers).toEqual([{ from: ['b', 'c'], to: 'd' }]);
    expect(shape.edges.filter((edge) => edge.to === 'd')).toContainEqual({ from: 'b', to: 'd' });
    expect(shape.edges).not.toContainEqual({ from: 'c', to: 'd' });
  });

  it('bounds no target of a branch or a goto that may Send', async () => {
    const shape = await graphShapeOf(mixed(), 'anything');
    expect([...shape.unbounded].sort()).toEqual(['a', 'e']);
    expect((await graphShapeOf(mixed(), 'names')).unbounded).toEqual([]);
  });

  it('names the nodes that wait for the end of a run', async () => {
    const graph = new StateGraph(State)
      .addNode('a', nothing)
      .addNode('z', nothing, { defer: true })
      .addEdge(START, 'a')
      .addEdge('a', 'z')
      .compile();
    expect((await graphShapeOf(graph, 'names')).deferred).toEqual(['z']);
  });

  it('lets a branch without declared targets reach every node', async () => {
    const graph = new StateGraph(State)
      .addNode('a', nothing)
      .addNode('b', nothing)
      .addEdge(START, 'a')
      .addConditionalEdges('a', () => 'b')
      .compile();
    expect([...(await graphShapeOf(graph, 'anything')).unbounded]).toContain('b');
  });
});
