import { z } from 'zod';

/** What the queue carries: which piece of work, and how many attempts it had seen when the ticket was made. */
export const Ticket = z.object({ accountId: z.string(), id: z.string(), from: z.number() });
export type Ticket = z.output<typeof Ticket>;
