/**
 * For each thread and table, where its last row in a block is. Easy to get wrong: this forgets when two threads meet in
 * one place of the table, which only costs room; it must never name a row that is not the last.
 */
const places = 1 << 14;

/** Remembers rows; see the file's head. */
export class RowsBefore {
  readonly #hashes = new Uint32Array(places);
  readonly #sections = new Uint16Array(places);
  readonly #at = new Uint32Array(places);
  /** 0: nothing. */
  readonly #lengths = new Uint32Array(places);
  /** The row that {@link replace} found. */
  at = 0;
  length = 0;

  /** Puts a row in the place of the one before it; true when there was one, which is then {@link at}. */
  replace(hash: number, section: number, at: number, length: number): boolean {
    const place = (hash ^ Math.imul(section, 0x9e3779b1)) & (places - 1);
    const isKnown =
      this.#lengths[place] !== 0 && this.#hashes[place] === hash && this.#sections[place] === section;
    if (isKnown) {
      this.at = this.#at[place] ?? 0;
      this.length = this.#lengths[place] ?? 0;
    }
    this.#hashes[place] = hash;
    this.#sections[place] = section;
    this.#at[place] = at;
    this.#lengths[place] = length;
    return isKnown;
  }

  /** The thread's last row of a table is one that is not packed. */
  forget(hash: number, section: number): void {
    const place = (hash ^ Math.imul(section, 0x9e3779b1)) & (places - 1);
    if (this.#hashes[place] === hash && this.#sections[place] === section) this.#lengths[place] = 0;
  }

  clear(): void {
    this.#lengths.fill(0);
  }
}
