import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadTemplate } from './bad-template.ts';
import { chunkCount } from './chunk-count.ts';
import { checkTemplates, defaultBody, filledBody, filledUrl, redactedUrl } from './request-template.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });

test('any thread id comes out of URL and body as it went in', () => {
  fc.assert(
    fc.property(text, text, (thread, run) => {
      const input = { steps: [run] };
      expect(JSON.parse(filledBody(defaultBody, { thread, run, input }))).toEqual({
        thread_id: thread,
        run,
        input,
      });
      const { searchParams } = filledUrl('http://h/runs?thread={thread}', { thread, run, input });
      expect(searchParams.get('thread')).toBe(thread);
    }),
  );
});

test.each([
  [['nowhere/{thread}'], defaultBody, 'is no URL'],
  [['ftp://h/{thread}'], defaultBody, 'neither http nor https'],
  [['http://h/runs'], '{"input": {input}}', 'every trial would run on one thread'],
  [['http://h/{thread}'], '{', 'no JSON'],
])('%j with %s is refused', (urls, body, says) => {
  expect(() => {
    checkTemplates(urls, body);
  }).toThrow(new RegExp(says));
  expect(() => {
    checkTemplates(urls, body);
  }).toThrow(BadTemplate);
});

test('neither user and password nor a query are shown', () => {
  expect(redactedUrl('https://me:s3cret@h/threads/{thread}?key=s3cret')).toBe('https://h/threads/{thread}');
});

test('chunks are counted the same however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.nat(8),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      fc.constantFrom('text/event-stream; charset=utf-8', 'application/x-ndjson'),
      (events, sizes, type) => {
        const isEvents = type.startsWith('text/');
        const stream = Array.from({ length: events }, (_, index) =>
          isEvents ? `: ping\n\nid: ${index}\ndata: {}\n\n` : `{"n": ${index}}\n\n`,
        ).join('');
        let chunks = 0;
        const count = chunkCount(type, () => (chunks += 1));
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          count.feed(stream.slice(at, at + size));
          at += size;
        }
        count.end();
        expect(chunks).toBe(events);
      },
    ),
  );
});

test('an answer that is no stream is one chunk, at its end', () => {
  let chunks = 0;
  const count = chunkCount('application/json', () => (chunks += 1));
  count.feed('{"a":');
  count.feed('1}\n');
  expect(chunks).toBe(0);
  count.end();
  expect(chunks).toBe(1);
});
