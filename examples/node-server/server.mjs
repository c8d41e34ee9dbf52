/**
 * A service as forkscope races with --target: a four-node graph behind one endpoint, rows in Postgres, and an effect log.
 *
 *   DSN=postgres://… EFFECTS=effects.jsonl PORT=8001 node server.mjs
 *
 * POST /runs with {"thread_id", "run", "input"} answers with server-sent events, one a superstep. A client that leaves
 * aborts its run, as many services do.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';

const { DSN, EFFECTS = 'effects.jsonl', PORT = '8001', SCALE = '1' } = process.env;
if (DSN === undefined) throw new Error('DSN is not set');
const saver = PostgresSaver.fromConnString(DSN);
await saver.setup();

const append = (left, right) => [...left, ...right];
const State = Annotation.Root({
  steps: Annotation({ reducer: append, default: () => [] }),
  receipts: Annotation({ reducer: append, default: () => [] }),
});

/** How many records this process has written: gaps in the numbers show lost ones. */
let sequence = 0;

function node(name, delayMs) {
  return async (_state, config) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs * Number(SCALE)));
    const { thread_id: thread, run } = config.configurable;
    const info = config.executionInfo;
    const namespace = info?.checkpointNs ?? '';
    sequence += 1;
    // The effect: in a service of yours, right behind the call that charges the card.
    const record = {
      run,
      thread,
      node: name,
      worker: String(process.pid),
      parent_checkpoint_id: info?.checkpointId ?? null,
      task_id: info?.taskId ?? null,
      checkpoint_ns: namespace.includes('|') ? namespace.slice(0, namespace.lastIndexOf('|')) : '',
      step: config.metadata?.langgraph_step ?? null,
      attempt: info?.nodeAttempt ?? null,
      wall_ms: Date.now(),
      monotonic_ms: performance.now(),
      seq: sequence,
      business_key: name === 'charge' ? `${thread}:charge` : null,
    };
    appendFileSync(EFFECTS, `${JSON.stringify(record)}\n`);
    return { steps: [name], receipts: [`${name}@${run}`] };
  };
}

const graph = new StateGraph(State)
  .addNode('plan', node('plan', 300))
  .addNode('charge', node('charge', 300))
  .addNode('notify', node('notify', 1500))
  .addNode('finish', node('finish', 500))
  .addEdge(START, 'plan')
  .addEdge('plan', 'charge')
  .addEdge('charge', 'notify')
  .addEdge('notify', 'finish')
  .addEdge('finish', END)
  .compile({ checkpointer: saver });

const server = createServer(async (request, response) => {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { thread_id, run, input } = JSON.parse(Buffer.concat(pieces).toString());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const stream = await graph.stream(input, {
      configurable: { thread_id, run },
      streamMode: 'updates',
      signal: gone.signal,
    });
    for await (const chunk of stream) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  } catch (error) {
    if (!gone.signal.aborted) console.error(error);
    if (!response.headersSent) response.writeHead(500);
  }
  response.end();
});

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void saver.end());
});
