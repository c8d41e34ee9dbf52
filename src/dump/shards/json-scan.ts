/**
 * JSON as it stands in COPY text, stepped over byte by byte without making anything of it. Easy to get wrong: COPY
 * doubles every backslash, so a quote inside a string is `\\"` here, three bytes, and a backslash `\\\\`.
 */

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;

/** What the functions return for text that is not the JSON Postgres prints: it is then read the careful way. */
export const notPrinted = -1;

/** Behind the closing quote of the string whose opening quote is at `at`. */
export function stringEnd(bytes: Uint8Array, at: number, limit: number): number {
  for (let next = at + 1; next < limit; next += 1) {
    const byte = bytes[next] ?? 0;
    if (byte === quote) return next + 1;
    if (byte !== backslash) {
      if (byte < space) return notPrinted;
      continue;
    }
    // One backslash of JSON is two bytes; what it escapes is one character, which may be a backslash again.
    if (bytes[next + 1] !== backslash) return notPrinted;
    next += 2;
    if (bytes[next] === backslash) {
      if (bytes[next + 1] !== backslash) return notPrinted;
      next += 1;
    }
  }
  return notPrinted;
}

/** Behind the closing quote of a string without any escape in it; {@link notPrinted} when it has one. */
export function plainStringEnd(bytes: Uint8Array, at: number, limit: number): number {
  for (let next = at + 1; next < limit; next += 1) {
    const byte = bytes[next] ?? 0;
    if (byte === quote) return next + 1;
    if (byte === backslash || byte < space) return notPrinted;
  }
  return notPrinted;
}

/** Behind the value that begins at `at`. Nesting costs no stack. */
export function valueEnd(bytes: Uint8Array, at: number, limit: number): number {
  const first = bytes[at] ?? 0;
  if (first === quote) return stringEnd(bytes, at, limit);
  if (first !== 0x7b && first !== 0x5b) return literalEnd(bytes, at, limit);
  let depth = 0;
  for (let next = at; next < limit;) {
    const byte = bytes[next] ?? 0;
    if (byte === quote) {
      next = stringEnd(bytes, next, limit);
      if (next < 0) return notPrinted;
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
      if (depth === 0) return next + 1;
    } else if (byte !== comma && byte !== colon && byte !== space) {
      next = literalEnd(bytes, next, limit);
      if (next < 0) return notPrinted;
      continue;
    }
    next += 1;
  }
  return notPrinted;
}

/** Behind a number, `true`, `false` or `null`. */
function literalEnd(bytes: Uint8Array, at: number, limit: number): number {
  const first = bytes[at] ?? 0;
  if (first === 0x6e) return wordEnd(bytes, at, limit, nullWord);
  if (first === 0x74) return wordEnd(bytes, at, limit, trueWord);
  if (first === 0x66) return wordEnd(bytes, at, limit, falseWord);
  return numberEnd(bytes, at, limit);
}

const [nullWord, trueWord, falseWord] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')];

function wordEnd(bytes: Uint8Array, at: number, limit: number, word: Buffer): number {
  if (at + word.length > limit) return notPrinted;
  for (let index = 0; index < word.length; index += 1)
    if (bytes[at + index] !== word[index]) return notPrinted;
  return at + word.length;
}

/** Digits, then perhaps a fraction, then perhaps an exponent. */
function numberEnd(bytes: Uint8Array, at: number, limit: number): number {
  const start = bytes[at] === 0x2d ? at + 1 : at;
  let next = digitsEnd(bytes, start, limit);
  if (next === start || (bytes[start] === 0x30 && next > start + 1)) return notPrinted;
  if (bytes[next] === 0x2e) {
    const fraction = next + 1;
    next = digitsEnd(bytes, fraction, limit);
    if (next === fraction) return notPrinted;
  }
  if (bytes[next] === 0x65 || bytes[next] === 0x45) {
    const sign = bytes[next + 1];
    const exponent = sign === 0x2b || sign === 0x2d ? next + 2 : next + 1;
    next = digitsEnd(bytes, exponent, limit);
    if (next === exponent) return notPrinted;
  }
  return next;
}

function digitsEnd(bytes: Uint8Array, at: number, limit: number): number {
  let next = at;
  while (next < limit && (bytes[next] ?? 0) >= 0x30 && (bytes[next] ?? 0) <= 0x39) next += 1;
  return next;
}
