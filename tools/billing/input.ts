import { z } from 'zod';
import { INTERVALS } from '../../src/billing/payment-service.ts';
import { BILLED_APPS } from '../../src/plans.ts';

export const AppName = z.enum(BILLED_APPS);
export const PlanName = z.string().min(1).max(50);
export const Interval = z.enum(INTERVALS);
export const CurrencyCode = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .meta({
    description: "Currency code: USD or EUR. Default: the one the account pays in, or else the server's",
  });

/** Where a purchase leads back to: a path of this server, or an address it allows. */
export const ReturnUrl = z.string().min(1).max(2000);

export const CheckoutLink = z.object({
  id: z.string(),
  url: z.string().meta({ description: 'Checkout page where a person pays' }),
});
export const PageLink = z.object({ url: z.string() });
