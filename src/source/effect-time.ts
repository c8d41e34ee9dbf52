/**
 * When an effect happened, from what logs write. Easy to get wrong: ISO text without an offset means the reader's own
 * time zone to JavaScript, so the same log would be judged differently on two machines; here it means UTC.
 */

/** What is accepted, for messages. */
export const timeForms =
  'ISO 8601 text, Unix seconds (10 digits, with a fraction or not) or milliseconds (13 digits)';

const isoText =
  /^(?<date>\d{4}-\d{2}-\d{2})[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?:[.,](?<fraction>\d{1,12}))?\s*(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/iu;
const numberText = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/iu;
/** 1973 in milliseconds, the year 5138 in seconds. */
const leastMs = 1e11;
const mostMs = 1e14;

/** Unix milliseconds, fractions kept; null for what is no time. */
export function effectTimeMs(value: string | number): number | null {
  if (typeof value === 'number') return fromNumber(value);
  const text = value.trim();
  if (numberText.test(text)) return fromNumber(Number(text));
  const parts = isoText.exec(text)?.groups;
  if (parts === undefined) return null;
  const time = parts['time'] ?? '';
  const whole = `${parts['date'] ?? ''}T${time.length === 5 ? `${time}:00` : time}${offsetText(parts['offset'])}`;
  const ms = Date.parse(whole);
  return Number.isNaN(ms) ? null : ms + Number(`0.${parts['fraction'] ?? '0'}`) * 1000;
}

function fromNumber(value: number): number | null {
  if (!(value > 0 && value < mostMs)) return null;
  return value < leastMs ? value * 1000 : value;
}

/** Postgres writes `+00`, Python `+00:00`, others `+0000`; Date.parse takes only the second. */
function offsetText(offset: string | undefined): string {
  if (offset === undefined || offset.toUpperCase() === 'Z') return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
