/** The provider as a process of its own, called over real sockets: what is charged, answered, lost and written down. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallFold } from '#analysis/provider/call-fold.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { ProviderCall } from '#analysis/model/provider.ts';
import { noFaults } from '#trials/provider.ts';
import { isRunning, identifyProcess, type ProcessIdentity } from '../../postgres/process-identity.ts';
import { ProviderControl } from './provider-control.ts';
import { Releasers } from '../../runner/releasers.ts';
import { ServiceProcess } from '../service-process.ts';
import { providerProgram, startProvider } from './start-provider.ts';
import { providerEventSchema } from './provider-protocol.ts';

const never = new AbortController().signal;
let folder: string;
let provider: ServiceProcess;
let control: ProviderControl;
let logFile: string;
const guarded: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forkscope-provider-'));
  logFile = join(folder, 'provider.jsonl');
  provider = await ServiceProcess.start(
    providerProgram({ logFile, scale: 1 }, join(folder, 'provider.log')),
    (pid) => {
      guarded.push(pid);
    },
  );
  control = new ProviderControl(provider.address);
});
afterAll(async () => {
  control.close();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answered {
  readonly status: number;
  readonly isReplayed: boolean;
  readonly body: unknown;
}

interface Posted {
  readonly answer: Promise<Answered>;
  /** Closes the caller's socket. */
  readonly leave: () => void;
}

/** One call; every test uses a business key of its own, which is also its thread. */
function post(thread: string, options: { key?: string; run?: string; amount?: number } = {}): Posted {
  const { key, run = `${thread}/run`, amount = 100 } = options;
  const client = httpRequest(`${provider.address}/charges`, {
    method: 'POST',
    agent: false,
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      'x-forkscope-thread': encodeURIComponent(thread),
      'x-forkscope-run': encodeURIComponent(run),
      'x-forkscope-node': 'charge',
    },
  });
  const answer = new Promise<Answered>((resolve, reject) => {
    client.once('error', reject);
    client.once('response', (response) => {
      const { statusCode, headers } = response;
      json(response).then((body) => {
        resolve({ status: statusCode ?? 0, isReplayed: headers['idempotent-replayed'] === 'true', body });
      }, reject);
    });
  });
  client.end(JSON.stringify({ businessKey: thread, amount, currency: 'eur' }));
  return { answer, leave: () => client.destroy() };
}

/** The account of a thread, of which the provider's answer and its log must say the same. */
async function accountOf(thread: string): Promise<readonly ProviderCall[]> {
  return (await control.callsOf(thread, never)).map((call) => ({ ...call, closed: null }));
}

function loggedCalls(thread: string): readonly ProviderCall[] {
  const fold = new CallFold();
  for (const line of readFileSync(logFile, 'utf8').trim().split('\n')) {
    fold.add(providerEventSchema.parse(JSON.parse(line)));
  }
  return fold.calls.filter((call) => call.thread === thread).map((call) => ({ ...call, closed: null }));
}

const chargesIn = (calls: readonly ProviderCall[]): number =>
  calls.filter(({ made }) => made !== null).length;

describe('without a key', () => {
  it('charges every time', async () => {
    const [first, second] = await Promise.all([post('plain').answer, post('plain').answer]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body).not.toEqual(second.body);
    expect(chargesIn(await accountOf('plain'))).toBe(2);
  });
});

describe('with a key', () => {
  it('repeats the first answer, and says that it does', async () => {
    const first = await post('repeat', { key: 'repeat-1' }).answer;
    const second = await post('repeat', { key: 'repeat-1', run: 'repeat/another' }).answer;
    expect(first).toMatchObject({ status: 200, isReplayed: false });
    expect(second).toEqual({ ...first, isReplayed: true });
    expect(chargesIn(await accountOf('repeat'))).toBe(1);
  });

  it('refuses other parameters as an idempotency error, without a charge', async () => {
    await post('other', { key: 'other-1' }).answer;
    const second = await post('other', { key: 'other-1', amount: 200 }).answer;
    expect(second).toMatchObject({ status: 400, body: { error: { type: 'idempotency_error' } } });
    expect(chargesIn(await accountOf('other'))).toBe(1);
  });

  it('says that the key is in use while the first call with it runs, and charges nothing for that', async () => {
    // Longer than any test, so that how fast the others come decides nothing.
    await control.setFaults('busy/first', { ...noFaults, answerAfterMs: 600_000 }, never);
    const first = post('busy', { key: 'busy-1', run: 'busy/first' });
    await control.until('busy/first', 'committed', never);
    const others = await Promise.all([1, 2, 3].map(() => post('busy', { key: 'busy-1' }).answer));
    for (const other of others) {
      expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_in_use' } } });
    }
    first.leave();
    await expect(first.answer).rejects.toThrow();
    expect(chargesIn(loggedCalls('busy'))).toBe(1);
  });

  it('charges once, whatever the order in which calls at once arrive', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('at once', { key: 'k' }).answer));
    const own = answers.filter(({ status, isReplayed }) => status === 200 && !isReplayed);
    expect(own).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(chargesIn(await accountOf('at once'))).toBe(1);
  });
});

describe('what goes wrong', () => {
  it.each([
    ['error-before', 0],
    ['error-after', 1],
  ] as const)('%s: a 500 that the key repeats, and charges: %i', async (answer, charges) => {
    await control.setFaults(`${answer}/run`, { ...noFaults, answer }, never);
    expect(await post(answer, { key: answer }).answer).toMatchObject({ status: 500, isReplayed: false });
    expect(await post(answer, { key: answer }).answer).toMatchObject({ status: 500, isReplayed: true });
    expect(chargesIn(await accountOf(answer))).toBe(charges);
  });

  it('lost: the socket breaks without a byte, the charge is made, and the key gives the answer that was lost', async () => {
    await control.setFaults('lost/run', { ...noFaults, answer: 'lost' }, never);
    await expect(post('lost', { key: 'lost' }).answer).rejects.toThrow(/socket hang up|ECONNRESET/);
    const again = await post('lost', { key: 'lost' }).answer;
    expect(again).toMatchObject({ status: 200, isReplayed: true });
    const [first] = await control.callsOf('lost', never);
    expect(again.body).toMatchObject({ id: first?.made?.charge });
    expect(first?.closed?.answer).toBe('lost');
  });

  it.each(['received', 'committed'] as const)(
    'carries out the call of a caller that left at %s',
    async (moment) => {
      const run = `left ${moment}/run`;
      await control.setFaults(run, { ...noFaults, commitAfterMs: 50, answerAfterMs: 50 }, never);
      const { answer, leave } = post(`left ${moment}`, { run });
      await control.until(run, moment, never);
      leave();
      await expect(answer).rejects.toThrow();
      const [call] = await control.callsOf(`left ${moment}`, never);
      expect(call?.made).not.toBeNull();
      expect(call?.answer?.status).toBe(200);
      expect(call?.closed?.answer).toBe('lost');
    },
  );

  it('a charge or an answer that is held waits for the next who asks, by a call or by looking it up', async () => {
    await control.setFaults('held/first', { ...noFaults, holds: 'charge' }, never);
    const first = post('held', { key: 'held', run: 'held/first' });
    await control.until('held/first', 'received', never);
    expect(loggedCalls('held')[0]?.made).toBeNull();
    expect((await post('held', { key: 'held', run: 'held/second' }).answer).status).toBe(409);
    expect((await first.answer).status).toBe(200);
    await control.setFaults('seen/first', { ...noFaults, holds: 'answer' }, never);
    const seen = post('seen', { run: 'seen/first' });
    await control.until('seen/first', 'committed', never);
    expect(loggedCalls('seen')[0]?.answer).toBeNull();
    const found = await fetch(`${provider.address}/charges?business_key=seen`);
    expect(await found.json()).toMatchObject({ data: [{ businessKey: 'seen' }] });
    expect((await seen.answer).status).toBe(200);
  });

  it('a request that is not whole, or no charge, is no call', async () => {
    const cut = httpRequest(`${provider.address}/charges`, { method: 'POST', agent: false });
    cut.on('error', () => undefined);
    cut.setHeader('content-length', 100);
    await new Promise<void>((resolve) =>
      cut.write('{', () => {
        resolve();
      }),
    );
    cut.destroy();
    expect(await post('no charge', { amount: -1 }).answer).toMatchObject({ status: 400 });
    expect(await post('no charge', { key: 'k'.repeat(256) }).answer).toMatchObject({ status: 400 });
    expect(await accountOf('no charge')).toEqual([]);
  });
});

describe('the account', () => {
  it('is the same in the log, for names of any kind, in monotonic order', async () => {
    const thread = '__proto__ %\n ü';
    await post(thread, { key: 'a' }).answer;
    await post(thread, { key: 'a' }).answer;
    const calls = await accountOf(thread);
    expect(calls).toEqual(loggedCalls(thread));
    const [first, second] = calls;
    expect(second?.answer?.replayOf).toBe(first?.call);
    expect(first?.receivedMs).toBeLessThanOrEqual(first?.made?.atMs ?? 0);
    expect(first?.made?.atMs).toBeLessThanOrEqual(first?.answer?.atMs ?? 0);
    expect(first?.answer?.atMs).toBeLessThan(second?.receivedMs ?? 0);
  });
});

describe('the process', () => {
  it('is told to the watchdog before it serves, and ends with its series', async () => {
    expect(guarded).toEqual([provider.pid]);
    const other: ProcessIdentity[] = [];
    const short = await ServiceProcess.start(
      providerProgram({ logFile: join(folder, 'other.jsonl'), scale: 1 }, join(folder, 'other.log')),
      (pid) => other.push(identifyProcess(pid)),
    );
    await short.stop();
    expect(other.map(isRunning)).toEqual([false]);
  });

  it('ends whoever asks with its own death, also those who were waiting', async () => {
    await mkdir(join(folder, 'workers'));
    const pids: number[] = [];
    const releasers = new Releasers();
    const service = await startProvider({
      ...{ dsn: '', schema: '', scenario: '', effectsFile: '', scale: 1, folder, releasers },
      ...{ scenarioFile: null, services: {} },
      guard: (pid) => pids.push(pid),
    });
    const waits = service.until?.('nobody/run' as RunToken, 'received', never);
    const fails = expect(waits).rejects.toThrow(
      /payment provider does not serve: it ended with signal SIGKILL/,
    );
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await fails;
    await expect(service.outcomesOf('t' as ThreadId, never)).rejects.toThrow(/does not serve/);
    await releasers.releaseAll();
  });

  it('does not start with a log that cannot be written, and says so', async () => {
    const start = ServiceProcess.start(
      providerProgram({ logFile: join(folder, 'no such folder', 'x'), scale: 1 }, join(folder, 'broken.log')),
      () => undefined,
    );
    await expect(start).rejects.toThrow(/provider does not serve: the run directory cannot be written/);
  });
});
