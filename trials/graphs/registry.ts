/** The graphs that scenarios may name. Each is imported only when a worker needs it. */
import type { GraphDeclaration } from '../graph.ts';

/** plan, charge, notify, finish in a line. */
export const booking: GraphDeclaration = {
  name: 'booking',
  routes: 'names',
  load: async () => (await import('./booking.ts')).buildBooking,
};
