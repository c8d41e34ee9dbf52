/** Did the operator name a live database? A file of its own, so that reading options loads no driver. */

/** Whether the place is a connection string. */
export function isDsn(place: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(place);
}
