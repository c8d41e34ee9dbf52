/**
 * How a request to somebody else's service is made of what the user gave: URLs and a body with places for the thread, the
 * run and the input. Easy to get wrong: a thread id may hold anything, so it is escaped for the place it goes to.
 */
import { BadTemplate } from './bad-template.ts';

/** What goes into the places. */
export interface Filling {
  readonly thread: string;
  readonly run: string;
  /** Null resumes, in LangGraph's own meaning of input. */
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** The body unless the user gives another. */
export const defaultBody = '{"thread_id": "{thread}", "run": "{run}", "input": {input}}';

const places = /\{(thread|run|input)\}/g;

/** The URL of one request; `{thread}` and `{run}` are percent-encoded. */
export function filledUrl(template: string, filling: Filling): URL {
  return new URL(
    template.replace(places, (_, name: keyof Filling) => encodeURIComponent(asText(filling, name))),
  );
}

/** The body of one request; `{thread}` and `{run}` stand inside JSON strings, `{input}` is a JSON value. */
export function filledBody(template: string, filling: Filling): string {
  return template.replace(places, (_, name: keyof Filling) =>
    name === 'input' ? JSON.stringify(filling.input) : JSON.stringify(filling[name]).slice(1, -1),
  );
}

/** *Fails* with BadTemplate: not a URL, not HTTP, not JSON when filled in, or every trial would get one thread. */
export function checkTemplates(urls: readonly string[], body: string): void {
  const example: Filling = { thread: 't"1', run: 't"1/first', input: {} };
  for (const url of urls) {
    let filled: URL;
    try {
      filled = filledUrl(url, example);
    } catch {
      throw new BadTemplate(`--target: ${redactedUrl(url)} is no URL`);
    }
    if (filled.protocol !== 'http:' && filled.protocol !== 'https:')
      throw new BadTemplate(`--target: ${redactedUrl(url)} is neither http nor https`);
    if (!url.includes('{thread}') && !body.includes('{thread}'))
      throw new BadTemplate(
        'neither --target nor --body has a place {thread}: every trial would run on one thread',
      );
  }
  try {
    JSON.parse(filledBody(body, example));
  } catch {
    throw new BadTemplate('--body is no JSON when {thread}, {run} and {input} are filled in');
  }
}

/** As it may be stored and shown: without user, password and query. */
export function redactedUrl(template: string): string {
  return template.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

function asText(filling: Filling, name: keyof Filling): string {
  return name === 'input' ? JSON.stringify(filling.input) : filling[name];
}
