/**
 * State values as their serializers store them and pg_dump prints them: hexadecimal JSON for JS, hexadecimal msgpack
 * for Python. Made once and taken by number, because making text is what a generator spends its time on. Easy to get
 * wrong: strings here are Latin-1 views of UTF-8 bytes, so that they can be written byte by byte.
 */
import { Chance } from '#src/chance.ts';

/** One value of the channel `draft`, in every form in which a row shows it. */
export interface Draft {
  /** Hexadecimal JSON of `{"text":…,"tokens":…}`. */
  readonly json: string;
  /** Hexadecimal msgpack of the same mapping. */
  readonly mapping: string;
  /** Hexadecimal msgpack of the text alone. */
  readonly text: string;
  /** The text as a JSON string inside a COPY field. */
  readonly inRow: string;
}

const words =
  'the order was charged once and a receipt went out to the customer who asked for a refund of 12.50 € ' +
  'because “express” delivery came late; see\nticket "A-17" – naïve retries paid twice ✓ agent tool call';

/** So many drafts of about `valueBytes` bytes each, half to one and a half times. */
export function draftPool(seed: number, valueBytes: number, count = 256): readonly Draft[] {
  const chance = new Chance(seed, 0x64726166);
  const vocabulary = words.split(' ');
  return Array.from({ length: count }, () => {
    const aim = Math.max(1, Math.floor(valueBytes * (0.5 + chance.unit())));
    let text = '';
    while (text.length < aim) text += `${vocabulary[chance.between(0, vocabulary.length)] ?? ''} `;
    return draft(text.trimEnd(), chance.between(128, 60_000));
  });
}

function draft(text: string, tokens: number): Draft {
  const string = packedText(text);
  return {
    json: hex(JSON.stringify({ text, tokens })),
    mapping: `82${packedText('text')}${string}${packedText('tokens')}cd${tokens.toString(16).padStart(4, '0')}`,
    text: string,
    inRow: latin1(JSON.stringify(text).replaceAll('\\', '\\\\')),
  };
}

/** Hexadecimal text of a string's UTF-8 bytes. */
export function hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

/** A string's UTF-8 bytes, each as one character. */
export function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Hexadecimal msgpack of a string. */
export function packedText(text: string): string {
  const size = Buffer.byteLength(text, 'utf8');
  if (size < 32) return (0xa0 | size).toString(16) + hex(text);
  if (size < 256) return `d9${size.toString(16).padStart(2, '0')}${hex(text)}`;
  if (size < 65_536) return `da${size.toString(16).padStart(4, '0')}${hex(text)}`;
  return `db${size.toString(16).padStart(8, '0')}${hex(text)}`;
}

/** Hexadecimal msgpack of a list of fewer than 65,536 items that are packed already. */
export function packedList(count: number, items: string): string {
  return (count < 16 ? (0x90 | count).toString(16) : `dc${count.toString(16).padStart(4, '0')}`) + items;
}

const sendHead = 'c7250193af6c616e6767726170682e7479706573a453656e6492a6776f726b657281a46974656d';

/** Hexadecimal msgpack of `Send("worker", {"item": item})`, item under 128. */
export function packedSend(item: number): string {
  return sendHead + item.toString(16).padStart(2, '0');
}

/** Hexadecimal JSON of the same Send. */
export function jsonSend(item: number): string {
  return hex(sendText(item));
}

/** JSON of a list of so many Sends. */
export function jsonSends(count: number): string {
  return hex(`[${Array.from({ length: count }, (_, item) => sendText(item)).join(',')}]`);
}

function sendText(item: number): string {
  return `{"node":"worker","args":{"item":${item}}}`;
}

const question = 'charge the card?';

/** Hexadecimal JSON of an interrupt as JS 1.7 stores it. */
export function jsonInterrupt(id: string): string {
  return hex(JSON.stringify([{ id, value: { question } }]));
}

/** Hexadecimal msgpack of an interrupt as Python stores it. */
export function packedInterrupt(id: string): string {
  const inner =
    `93${packedText('langgraph.types')}${packedText('Interrupt')}83${packedText('value')}81` +
    `${packedText('question')}${packedText(question)}${packedText('id')}${packedText(id)}` +
    `${packedText('response_schema')}c0`;
  const size = inner.length / 2;
  return `91c7${size.toString(16).padStart(2, '0')}02${inner}`;
}
