import { z } from 'zod';
import { BILLED_APPS, type BilledApp } from '../plans.ts';
import { CURRENCY } from './catalog.ts';
import { Money, moneyOf } from './money.ts';
import type { Invoice, Subscription } from './payment-service.ts';

export const BillingSummary = z.object({
  app: z.enum(BILLED_APPS),
  plan: z.string(),
  status: z.string().meta({ description: 'active, or another word where something is not right' }),
  renewal_date: z.iso.datetime().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  ...Money,
  interval: z.enum(['month', 'year']),
  credits: z.int(),
  past_due_since: z.iso.datetime().optional(),
  billing_enabled: z.boolean(),
});
export type BillingSummary = z.output<typeof BillingSummary>;

export const InvoiceView = z.object({
  id: z.string(),
  number: z.string().nullable(),
  date: z.iso.datetime(),
  ...Money,
  status: z.string().meta({ description: 'paid, open, uncollectible or void' }),
  hostedUrl: z.string().nullable(),
  pdfUrl: z.string().nullable(),
});
type InvoiceView = z.output<typeof InvoiceView>;

type Standing = {
  readonly app: BilledApp;
  readonly subscription: Subscription | undefined;
  /** What the account may use where it subscribes to nothing. */
  readonly plan: string;
  readonly credits: number;
  readonly enabled: boolean;
};

export function presentSummary({ app, subscription, plan, credits, enabled }: Standing): BillingSummary {
  const rest = { credits, billing_enabled: enabled };
  if (!subscription) {
    const money = moneyOf({ amount: 0, currency: CURRENCY });
    const none = { renewal_date: null, cancelAtPeriodEnd: false, interval: 'month' } as const;
    return { app, plan, status: 'active', ...none, ...money, ...rest };
  }
  const { pastDueSince } = subscription;
  return {
    app,
    plan: subscription.plan,
    status: subscription.status,
    renewal_date: subscription.currentPeriodEnd.toISOString(),
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    ...moneyOf(subscription),
    interval: subscription.interval,
    ...rest,
    ...(pastDueSince && { past_due_since: pastDueSince.toISOString() }),
  };
}

export function presentInvoice(invoice: Invoice): InvoiceView {
  const { id, number, date, status, hostedUrl, pdfUrl } = invoice;
  return { id, number, date: date.toISOString(), ...moneyOf(invoice), status, hostedUrl, pdfUrl };
}
