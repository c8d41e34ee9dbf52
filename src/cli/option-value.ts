/** Checks of numeric options. yargs shows the thrown message with the command's help and exit code 64. */

/** A whole number of at least `least`. */
export function integerFrom(least: number, option: string): (value: unknown) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isSafeInteger(number) || number < least) {
      throw new RangeError(`${option} must be one whole number of at least ${least}.`);
    }
    return number;
  };
}

/** A number between two bounds, both allowed. */
export function numberBetween(least: number, most: number, option: string): (value: unknown) => number {
  return (value) => {
    const number = Number(value);
    if (!(number >= least && number <= most))
      throw new RangeError(`${option} must be one number from ${least} to ${most}.`);
    return number;
  };
}
