import { z } from 'zod';
import type { PaymentEvent } from '../../billing/payment-service.ts';

// A customer is named by its id, or is the object itself.
const Hinted = z.object({
  id: z.string(),
  object: z.string(),
  customer: z.string().nullish().catch(null),
  charge: z.string().nullish().catch(null),
});

type StripeEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: unknown };
};

/** An event as a hint of whose things changed. */
export function readHint({ id, type, data }: StripeEvent): PaymentEvent {
  const hinted = Hinted.safeParse(data.object).data;
  const customerId = hinted?.object === 'customer' ? hinted.id : (hinted?.customer ?? null);
  return { id, type, customerId, chargeId: hinted?.charge ?? null };
}
