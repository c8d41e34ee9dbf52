/** Where a field of COPY text ends. Keys are short, so a loop beats a native search. */
const tab = 0x09;

/** The tab behind the field that begins at `start`, or `end` when it is the line's last. */
export function fieldEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== tab) at += 1;
  return at;
}
