/** The graphs that scenarios may name. Each is imported only when a worker needs it. */
import type { GraphDeclaration } from '../graph.ts';

/** plan, charge, notify, finish in a line. */
export const booking: GraphDeclaration = {
  name: 'booking',
  routes: 'names',
  load: async () => (await import('./booking.ts')).buildBooking,
};

/** plan, approve (an interrupt), charge, finish in a line. */
export const bookingWithApproval: GraphDeclaration = {
  name: 'booking-with-approval',
  routes: 'names',
  load: async () => (await import('./booking-with-approval.ts')).buildBookingWithApproval,
};

/** charge, notify in a line; charge returns a key that the input names. */
export const bookingWithReference: GraphDeclaration = {
  name: 'booking-with-reference',
  routes: 'names',
  load: async () => (await import('./booking-with-reference.ts')).buildBookingWithReference,
};
