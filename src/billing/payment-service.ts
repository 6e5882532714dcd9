import type { Locale } from '../language.ts';
import type { BilledApp } from '../plans.ts';

export const INTERVALS = ['month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** What a billing period can be counted in. Plans are sold by the month and the year, every one or every few of them. */
export const PERIODS = ['day', 'week', 'month', 'year'] as const;
type Period = (typeof PERIODS)[number];

/** Whom invoices and emails of the payment service go to. */
export type Contact = {
  readonly email: string | null;
  readonly name: string;
  readonly language: string | null;
};

/** Something on sale, at one price. Amounts are in the smallest unit of the currency, which is lower case. */
export type Offer = {
  readonly priceId: string;
  readonly app: BilledApp;
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly popular: boolean;
  /** The same texts in Spanish, where there are any. */
  readonly spanish?:
    | { readonly name: string; readonly description: string; readonly features: readonly string[] }
    | undefined;
} & (
  | {
      readonly kind: 'plan';
      readonly plan: string;
      readonly interval: Interval;
      readonly intervalCount: number;
    }
  | { readonly kind: 'credits'; readonly credits: number }
);

/** A subscription as the payment service has it now. */
export type Subscription = {
  readonly id: string;
  readonly app: BilledApp;
  readonly plan: string;
  /** Stripe's word: active, trialing, past_due, unpaid, canceled, incomplete, incomplete_expired or paused. */
  readonly status: string;
  readonly priceId: string;
  /** Billed every `intervalCount` of these: a quarter is 3 months. */
  readonly interval: Period;
  readonly intervalCount: number;
  readonly amount: number;
  readonly currency: string;
  readonly currentPeriodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
  /** Date of the oldest invoice that should have been paid; null while nothing is owed. */
  readonly pastDueSince: Date | null;
};

/** Credits that were paid, and how many of them are to be taken back because their money was. */
export type CreditPurchase = {
  readonly sessionId: string;
  readonly credits: number;
  readonly takeBack: number;
};

export type CustomerState = {
  readonly subscriptions: readonly Subscription[];
  readonly purchases: readonly CreditPurchase[];
};

export type Invoice = {
  readonly id: string;
  readonly number: string | null;
  readonly date: Date;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly hostedUrl: string | null;
  readonly pdfUrl: string | null;
};

/** A hint that something changed; what, is asked for. */
export type PaymentEvent = {
  readonly id: string;
  readonly type: string;
  readonly customerId: string | null;
  /** Where the event names a charge and no customer. */
  readonly chargeId: string | null;
};

export type CheckoutOrder = {
  readonly customerId: string;
  readonly accountId: string;
  readonly offer: Offer;
  /** May hold `{CHECKOUT_SESSION_ID}`, which is replaced by the session's id. */
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly locale: Locale;
  /** Days a subscription is free at its start; 0 for none. */
  readonly trialDays: number;
};

export type PortalFlow = 'cancel' | 'update' | 'payment_method';

export type PortalOrder = {
  readonly customerId: string;
  readonly returnUrl: string;
  readonly locale: Locale;
  /** Key of the page's configuration: it has the plans of one app in one currency. */
  readonly configuration: string;
  /** A task to begin with; `cancel` and `update` are about this subscription. */
  readonly flow?:
    | { readonly type: 'payment_method' }
    | { readonly type: 'cancel' | 'update'; readonly subscriptionId: string };
};

/**
 * Where money is taken. Every function but `readEvent` asks over the network, with a deadline of its own.
 * @throws Fault upstream_failed when it cannot be reached or does not answer as it should
 */
export type PaymentService = {
  /** Everything on sale now. */
  offers(): Promise<readonly Offer[]>;
  /** The same key and contact make one customer, however often it is asked for. */
  createCustomer(accountId: string, contact: Contact, key: string): Promise<string>;
  /** Changes only what is given. Nothing happens when there is no such customer any more. */
  updateCustomer(id: string, changes: Partial<Contact>): Promise<void>;
  /** Undefined when there is no such customer any more. */
  customer(id: string): Promise<CustomerState | undefined>;
  customerOfCharge(chargeId: string): Promise<string | undefined>;
  createCheckout(order: CheckoutOrder): Promise<{ readonly id: string; readonly url: string }>;
  /**
   * Closes open checkouts of a customer: all of them, or those for plans of `app`, if `before` is set only
   * the ones that started before that checkout. A checkout that the customer pays before it is closed stays
   * paid.
   */
  closeCheckouts(
    customerId: string,
    which?: { readonly app: BilledApp; readonly before?: string },
  ): Promise<void>;
  /** Closes one checkout, unless it is paid or closed already. */
  closeCheckout(id: string): Promise<void>;
  openPortal(order: PortalOrder): Promise<string>;
  /** Changes the price at once; the difference is invoiced at once, and the change holds only if it is paid. */
  changeSubscription(id: string, offer: Offer): Promise<void>;
  /** Ends every subscription of a customer, those to none of our plans too: at once, with nothing paid back. */
  cancelSubscriptions(customerId: string): Promise<void>;
  /** Lets every subscription end with the period that is paid for; one that is not paid for ends at once. */
  endSubscriptions(customerId: string): Promise<void>;
  invoices(
    customerId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<{ readonly invoices: readonly Invoice[]; readonly next: string | undefined }>;
  /** What happened from then on, newest first, as far back as the service remembers. */
  eventsSince(from: Date): AsyncIterable<PaymentEvent>;
  /** @throws Fault invalid_signature for what is forged, changed, or older than five minutes */
  readEvent(body: Buffer, signature: string): Promise<PaymentEvent>;
};
