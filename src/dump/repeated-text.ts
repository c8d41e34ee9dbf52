/**
 * A text column whose values repeat: every row of a thread carries its id, every blob the name of one of a few
 * channels. Easy to get wrong: a string per row costs more memory than the rows' own data, so each value is one string.
 */
import { text } from './text-field.ts';

/** Decodes one column. *Cost*: memory per distinct value. */
export class RepeatedText {
  readonly #column: string;
  readonly #values = new Map<string, string>();

  constructor(column: string) {
    this.#column = column;
  }

  /** The text of a field. *Fails* as {@link text} does. */
  text(field: Buffer | null): string {
    const value = text(this.#column, field);
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    this.#values.set(value, value);
    return value;
  }

  /** The same, null for NULL. */
  textOrNull(field: Buffer | null): string | null {
    return field === null ? null : this.text(field);
  }
}
