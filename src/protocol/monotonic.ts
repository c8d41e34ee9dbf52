/**
 * The machine's monotonic clock. `CLOCK_MONOTONIC` is one clock for all processes of a machine, so times that a
 * worker and the driver take can be compared; wall clocks can be set back in mid-trial.
 */

/** Milliseconds since an arbitrary point, equal for all processes of this machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
