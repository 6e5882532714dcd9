import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Invoice, Offer, Subscription } from '../../billing/payment-service.ts';
import { BILLED_APPS } from '../../plans.ts';

/** Limit of credits per purchase: a value typed in the dashboard must fit the database column. */
export const CreditCount = z.coerce.number().int().min(1).max(1_000_000);

/** The metadata that `npm run billing -- push` writes on products and prices to identify them. */
const OfferMark = z.object({
  app: z.enum(BILLED_APPS),
  plan: z.string().min(1).optional(),
  credits: CreditCount.optional(),
  popular: z.stringbool().catch(false).default(false),
  name_es: z.string().optional(),
  description_es: z.string().optional(),
  features_es: z.string().optional(),
});

const SoldPeriod = z.object({ interval: z.enum(['month', 'year']), interval_count: z.int().min(1) });
const Period = z.enum(['day', 'week', 'month', 'year']).catch('month');

/** A price with its product as an offer; undefined for other products. */
export function readOffer(price: Stripe.Price): Offer | undefined {
  const { product, unit_amount: amount } = price;
  if (typeof product === 'string' || product.deleted || !product.active || amount === null) return undefined;
  const mark = OfferMark.safeParse({ ...product.metadata, ...price.metadata }).data;
  if (!mark) return undefined;
  const base = {
    priceId: price.id,
    app: mark.app,
    name: product.name,
    amount,
    currency: price.currency,
    description: product.description ?? '',
    features: product.marketing_features.flatMap(({ name }) => name ?? []),
    popular: mark.popular,
    spanish: spanishOf(mark),
  };
  if (mark.credits !== undefined && price.type === 'one_time')
    return { ...base, kind: 'credits', credits: mark.credits };
  const period = SoldPeriod.safeParse(price.recurring).data;
  if (mark.plan === undefined || !period) return undefined;
  return {
    ...base,
    kind: 'plan',
    plan: mark.plan,
    interval: period.interval,
    intervalCount: period.interval_count,
  };
}

function spanishOf({ name_es, description_es = '', features_es }: z.output<typeof OfferMark>) {
  if (name_es === undefined) return undefined;
  return { name: name_es, description: description_es, features: features_es?.split('\n') ?? [] };
}

/** Undefined when the subscription is for none of our plans. */
export function readSubscription(
  subscription: Stripe.Subscription,
  owedSince: ReadonlyMap<string, Date>,
  productMarks: ReadonlyMap<string, Stripe.Metadata>,
): Subscription | undefined {
  const [item] = subscription.items.data;
  // The current price defines the plan; the subscription's metadata is from the day it started.
  const ofProduct = productMarks.get(idOfProduct(item?.price));
  const mark = OfferMark.safeParse({ ...subscription.metadata, ...ofProduct, ...item?.price.metadata }).data;
  if (!item || !mark?.plan) return undefined;
  const isOwed = subscription.status === 'past_due' || subscription.status === 'unpaid';
  return {
    id: subscription.id,
    app: mark.app,
    plan: mark.plan,
    status: subscription.status,
    priceId: item.price.id,
    interval: Period.parse(item.price.recurring?.interval),
    intervalCount: item.price.recurring?.interval_count ?? 1,
    amount: item.price.unit_amount ?? 0,
    currency: subscription.currency,
    currentPeriodEnd: dateOf(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    pastDueSince: isOwed ? (owedSince.get(subscription.id) ?? dateOf(item.current_period_start)) : null,
  };
}

function idOfProduct(price: Stripe.Price | undefined): string {
  const product = price?.product ?? '';
  return typeof product === 'string' ? product : product.id;
}

/** Undefined for a draft. */
export function readInvoice(invoice: Stripe.Invoice): Invoice | undefined {
  const { id, number, created, total, currency, status } = invoice;
  if (!id || !status || status === 'draft') return undefined;
  return {
    id,
    number,
    date: dateOf(invoice.status_transitions.finalized_at ?? created),
    amount: total,
    currency,
    status,
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}

/** From Unix seconds. */
export function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
