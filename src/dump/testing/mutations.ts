/**
 * Ways in which a file goes wrong on its way: bits that flip, ends that are missing, lines twice or in the wrong place,
 * text that an editor or another program touched. Easy to get wrong: random bytes alone are refused at the first
 * statement, so most damage is made of what the reader gives a meaning to.
 */
import type { Chance } from '#src/chance.ts';

/** Damages bytes; the same chance does the same damage. Never changes its input. */
export type Mutation = (bytes: Buffer, chance: Chance) => Buffer;

/** Pieces with a meaning in SQL, COPY text, JSON or UTF-8, whole and broken. */
const meaningful: readonly Buffer[] = [
  ...[
    '\\.',
    '\n\\.\n',
    '\\.\r\n',
    '\\..',
    '\\\\.',
    '\\N',
    '\\',
    '\\\n',
    '\\x',
    '\\xg',
    '\\777',
    '\\8',
    '\\u0000',
  ],
  ...[
    "'",
    '"',
    '$$',
    '$a$',
    '/*',
    '*/',
    '--',
    ';',
    '(',
    ')',
    ',',
    "E'",
    "U&'",
    '::bytea',
    '\t',
    '\n',
    '\r\n',
    '\r',
  ],
  ...['COPY ', ' FROM stdin;\n', 'INSERT INTO ', 'VALUES (', 'BEGIN ATOMIC ', 'END;', 'CREATE FUNCTION f() '],
  ...[
    '\\connect x\n',
    '\\restrict\n',
    'SET standard_conforming_strings = off;\n',
    "SET client_encoding = 'LATIN1';\n",
  ],
  ...[
    'CREATE TABLE public.checkpoints (',
    'ATTACH PARTITION public.checkpoints ',
    '-- PostgreSQL database dump\n',
  ],
  ...[
    'null',
    '{}',
    '[]',
    '"',
    '{"',
    '}',
    ']',
    ':',
    '"__proto__":1,',
    '"constructor":',
    '1e400',
    '-0',
    '1e-7',
    'NaN',
  ],
  ...[
    '9007199254740993',
    '-1',
    '99999999999999999999999',
    '0.5',
    '2147483648',
    'true',
    '"\\ud800"',
    '\\\\ud800',
  ],
].map((text) => Buffer.from(text));

const broken: readonly Buffer[] = [
  ...[[0x00], [0x01], [0x07], [0x08], [0x0b], [0x1a], [0x1b, 0x5b, 0x32, 0x4a], [0x7f], [0x80], [0xc0, 0x80]],
  ...[
    [0xc3],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f],
    [0xf8, 0x88, 0x80, 0x80],
    [0xfe],
    [0xff],
    [0xef, 0xbb, 0xbf],
  ],
].map((bytes) => Buffer.from(bytes));

function pick<Item>(items: readonly Item[], chance: Chance): Item {
  const item = items[chance.between(0, items.length)];
  if (item === undefined) throw new Error('there is something to pick');
  return item;
}

function spliced(bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
}

/** The line around a random place, line feed included. */
function lineAt(bytes: Buffer, chance: Chance): { readonly start: number; readonly end: number } {
  const place = chance.between(0, bytes.length + 1);
  const start = place === 0 ? 0 : bytes.lastIndexOf(0x0a, place - 1) + 1;
  const found = bytes.indexOf(0x0a, place);
  return { start, end: found < 0 ? bytes.length : found + 1 };
}

function inserting(pieces: readonly Buffer[]): Mutation {
  return (bytes, chance) => {
    const removed = chance.between(0, 3);
    return spliced(bytes, chance.between(0, bytes.length + 1), removed, pick(pieces, chance));
  };
}

const flipBits: Mutation = (bytes, chance) => {
  const flipped = Buffer.from(bytes);
  for (let turn = chance.between(1, 9); turn > 0 && flipped.length > 0; turn -= 1) {
    const at = chance.between(0, flipped.length);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.between(0, 8));
  }
  return flipped;
};

const cutEnd: Mutation = (bytes, chance) => bytes.subarray(0, chance.between(0, bytes.length + 1));

const cutMiddle: Mutation = (bytes, chance) => {
  const at = chance.between(0, bytes.length + 1);
  return spliced(bytes, at, chance.between(0, Math.max(1, bytes.length >> 2)), Buffer.alloc(0));
};

const repeatLine: Mutation = (bytes, chance) => {
  const { start, end } = lineAt(bytes, chance);
  const copies = chance.between(0, 8) === 0 ? 200 : 1;
  const line = bytes.subarray(start, end);
  return spliced(bytes, end, 0, Buffer.concat(Array.from({ length: copies }, () => line)));
};

const moveLine: Mutation = (bytes, chance) => {
  const from = lineAt(bytes, chance);
  const line = bytes.subarray(from.start, from.end);
  const rest = spliced(bytes, from.start, line.length, Buffer.alloc(0));
  return spliced(rest, lineAt(rest, chance).start, 0, line);
};

/** Exchanges two stretches of whole lines, which may be sections. */
const swapParts: Mutation = (bytes, chance) => {
  const cuts = [lineAt(bytes, chance), lineAt(bytes, chance), lineAt(bytes, chance)].map(
    ({ start }) => start,
  );
  const [a = 0, b = 0, c = 0] = cuts.sort((one, other) => one - other);
  return Buffer.concat([bytes.subarray(0, a), bytes.subarray(b, c), bytes.subarray(a, b), bytes.subarray(c)]);
};

const manyFields: Mutation = (bytes, chance) => {
  const { end } = lineAt(bytes, chance);
  const count = chance.between(0, 4) === 0 ? 200_000 : chance.between(1, 20);
  return spliced(
    bytes,
    Math.max(0, end - 1),
    0,
    Buffer.alloc(count, pick(['\t', ',', "','", 'x\t'], chance)),
  );
};

/** JSON of a depth that would exhaust the stack of a recursive reader. */
const deepNesting: Mutation = (bytes, chance) => {
  const depth = chance.between(0, 4) === 0 ? 50_000 : chance.between(1, 50);
  const [open, close] = pick(
    [
      ['[', ']'],
      ['{"a":', '}'],
      ['(', ')'],
    ] as const,
    chance,
  );
  const text = `${open.repeat(depth)}${open === '(' ? '' : '1'}${close.repeat(depth)}`;
  const at = bytes.indexOf(pick([':', '{', '('], chance), chance.between(0, bytes.length + 1));
  return spliced(bytes, at < 0 ? bytes.length : at + 1, chance.between(0, 4), Buffer.from(text));
};

/** A field of a row replaced by one of another row, or by NULL. */
const strangeField: Mutation = (bytes, chance) => {
  const field = (): { at: number; length: number } => {
    const at = bytes.indexOf(0x09, chance.between(0, bytes.length + 1)) + 1;
    const ends = [bytes.indexOf(0x09, at), bytes.indexOf(0x0a, at), bytes.length];
    return { at, length: Math.min(...ends.filter((end) => end >= 0)) - at };
  };
  const [to, from] = [field(), field()];
  const isNull = chance.between(0, 3) === 0;
  const by = isNull ? Buffer.from('\\N') : bytes.subarray(from.at, from.at + from.length);
  return spliced(bytes, to.at, to.length, by);
};

/** Every use of one short piece, or one of them, becomes another. */
const replaceText: Mutation = (bytes, chance) => {
  const from = pick(
    ['"v": 4', '"step"', 'json', 'msgpack', '\\\\x', '"source"', '{}', '4', 'c1', 'NULL', '\\N'],
    chance,
  );
  const text = bytes.toString('latin1');
  const to = pick(meaningful, chance).toString('latin1');
  const isAll = chance.between(0, 2) === 0;
  return Buffer.from(isAll ? text.split(from).join(to) : text.replace(from, () => to), 'latin1');
};

const windowsLines: Mutation = (bytes, chance) => {
  const text = bytes.toString('latin1');
  if (chance.between(0, 2) === 0) return Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');
  const { end } = lineAt(bytes, chance);
  return spliced(bytes, Math.max(0, end - 1), 0, Buffer.from('\r'));
};

/** All kinds of damage, the likelier ones more than once. */
const mutations: readonly Mutation[] = [
  ...[flipBits, flipBits, cutEnd, cutMiddle, repeatLine, moveLine, swapParts, manyFields, deepNesting],
  ...[strangeField, strangeField, strangeField, replaceText, replaceText, windowsLines],
  ...[inserting(meaningful), inserting(meaningful), inserting(meaningful), inserting(broken)],
];

/** One to three kinds of damage, one after the other. */
export function damaged(bytes: Buffer, chance: Chance): Buffer {
  let result = bytes;
  for (let turn = chance.between(1, 4); turn > 0; turn -= 1) result = pick(mutations, chance)(result, chance);
  return result;
}
