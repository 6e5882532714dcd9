import { z } from 'zod';
import { BILLED_APPS, type BilledApp } from '../plans.ts';
import { Money, moneyOf } from './money.ts';
import { type Invoice, PERIODS, type Subscription } from './payment-service.ts';

export const BillingSummary = z.object({
  app: z.enum(BILLED_APPS),
  plan: z.string(),
  status: z
    .string()
    .meta({ description: 'none on the free plan, active, or the state that needs attention' }),
  renewal_date: z.iso.datetime().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  ...Money,
  interval: z.enum(PERIODS),
  interval_count: z.int().meta({ description: 'Intervals per payment: a quarter is 3 months' }),
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
  status: z.string().meta({ description: 'Status: paid, open, uncollectible or void' }),
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
  readonly currency: string;
};

export function presentSummary(standing: Standing): BillingSummary {
  const { app, subscription, plan, credits, enabled, currency } = standing;
  const rest = { credits, billing_enabled: enabled };
  if (!subscription) {
    const money = moneyOf({ amount: 0, currency });
    const none = {
      renewal_date: null,
      cancelAtPeriodEnd: false,
      interval: 'month',
      interval_count: 1,
    } as const;
    // The local owner has a plan without paying for it.
    const status = plan === 'free' ? 'none' : 'active';
    return { app, plan, status, ...none, ...money, ...rest };
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
    interval_count: subscription.intervalCount,
    ...rest,
    ...(pastDueSince && { past_due_since: pastDueSince.toISOString() }),
  };
}

export function presentInvoice(invoice: Invoice): InvoiceView {
  const { id, number, date, status, hostedUrl, pdfUrl } = invoice;
  return { id, number, date: date.toISOString(), ...moneyOf(invoice), status, hostedUrl, pdfUrl };
}
