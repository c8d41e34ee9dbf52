/**
 * The watchdog itself, a program of its own: it waits for the end of its input, which comes when the primary closes it
 * or dies in whatever way, and then undoes what is still registered. Easy to get wrong: it must not die of the signal
 * that is meant for the primary, nor of a broken pipe to it, nor keep a folder busy by working in it.
 */
import { createInterface } from 'node:readline';
import { cleanUp } from './cleanup.ts';
import { decodeInstruction, encodeLine, type Cleanup } from './watchdog-protocol.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGPIPE'] as const) {
  process.on(signal, () => undefined);
}
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
// A broken input ends it too, which is all that counts.
process.stdin.on('error', () => undefined);

const registered = new Map<number, Cleanup>();
let primaryListens = false;

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const instruction = decodeInstruction(line);
  if (instruction?.do === 'register') {
    registered.set(instruction.id, instruction.cleanup);
  } else if (instruction?.do === 'release') {
    registered.delete(instruction.id);
  } else if (instruction?.do === 'close') {
    primaryListens = true;
  }
}

for (const because of await cleanUp([...registered.values()])) {
  if (primaryListens) process.stdout.write(`${encodeLine({ because })}\n`);
  else process.stderr.write(`forkscope: something was left behind after a crash: ${because}\n`);
}
