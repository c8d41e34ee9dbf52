/** What the user gave to reach a service cannot be used. */
export class BadTemplate extends Error {
  override readonly name = 'BadTemplate';
}
