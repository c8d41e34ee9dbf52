/** The part of the package that is used; it brings no types of its own. */
declare module 'asciichart' {
  const asciichart: {
    /** A line through equally spaced values, the axis to its left; rows from `max` down to `min`. */
    plot(
      values: readonly number[],
      options: {
        readonly min: number;
        readonly max: number;
        readonly height: number;
        readonly offset: number;
        readonly format: (value: number) => string;
      },
    ): string;
  };
  export default asciichart;
}
