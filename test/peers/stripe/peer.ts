import type { Stripe } from 'stripe';

/** One request as the peer understood it. */
export type StripeRequest = {
  readonly method: string;
  /** Without the query: `/v1/customers/cus_1`. */
  readonly path: string;
  /** The form or the query, nested; numbers and booleans are texts as they came. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  /** The answer's status; 0 where the connection was dropped. */
  readonly status: number;
};

/** What befalls the requests to come; each counts down for itself. */
export type EmulatedFault =
  /** Answered with this status and nothing done, 429 and 409 in Stripe's words. */
  | { readonly next: number; readonly status: number }
  /** The connection ends without an answer; with `after`, once the work is done. */
  | { readonly next: number; readonly drops: 'before' | 'after' }
  /** Answered late. */
  | { readonly next: number; readonly slowMs: number };

export type Delivery = {
  /** Where webhooks are received. */
  readonly to: string;
  /** Which of the waiting events; all of them where absent. Ids that were delivered before are delivered again. */
  readonly only?: readonly string[] | ((event: StripeEvent) => boolean);
  /** As they happened where absent; otherwise any permutation of what was chosen. */
  readonly order?: 'reversed' | ((events: readonly StripeEvent[]) => readonly StripeEvent[]);
  /** How often each is sent, one after another; 1 where absent. */
  readonly times?: number;
  /** Age of the signature's timestamp in seconds; above 300 is stale. */
  readonly ageSeconds?: number;
  /** Signs with this secret instead of the peer's: a forgery. */
  readonly secret?: string;
};

export type Delivered = { readonly id: string; readonly type: string; readonly status: number };

/** An event as it goes over the wire: a snapshot of the object at the time. */
export type StripeEvent = {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly data: {
    readonly object: Readonly<Record<string, unknown>>;
    readonly previous_attributes?: Readonly<Record<string, unknown>>;
  };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
};

/** Whether the bank says yes to this customer. */
export type CardMood = 'ok' | 'declined';

/** Stripe on this machine. Everything it holds is in memory; `close` forgets it. */
export type StripePeer = {
  /** Origin: host, port and protocol of the SDK's constructor. */
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The same service without a socket, for `Stripe.createFetchHttpClient(peer.fetch)`. */
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly StripeRequest[];
  /** What broke a published schema, one sentence each. A suite asserts that it is empty. */
  readonly violations: readonly string[];
  /** Every event so far, delivered or not, in order. */
  readonly events: readonly StripeEvent[];

  readonly clock: {
    /** Seconds since 1970. */
    now(): number;
    /** Advances the clock; renewals, retries and ends that fall due on the way happen in order. */
    advance(seconds: number): void;
  };

  /** Pays an open checkout session as its hosted page does. Throws where the card is declined or the session is not open. */
  pay(
    sessionId: string,
    how?: {
      readonly email?: string;
      readonly later?: boolean;
      /** Name of the company, entered with its tax ID. */
      readonly company?: string;
      readonly country?: string;
    },
  ): void;
  /** Ends the waiting of a session paid `later` (a bank transfer): succeeded or failed. */
  settle(sessionId: string, outcome: 'succeeded' | 'failed'): void;
  expire(sessionId: string): void;
  cards(customerId: string, mood: CardMood): void;

  /** What a customer does in the portal. `cancel` is at period end unless `now`. */
  readonly portal: {
    changePlan(subscriptionId: string, priceId: string): void;
    cancel(subscriptionId: string, how?: { readonly now?: boolean }): void;
    resume(subscriptionId: string): void;
    /** A smaller plan from the next period on. */
    changeLater(subscriptionId: string, priceId: string): void;
  };
  /** What the merchant does in the dashboard. Amounts in minor units; everything where absent. */
  readonly dashboard: {
    payInvoice(invoiceId: string): void;
    failInvoice(invoiceId: string): void;
    voidInvoice(invoiceId: string): void;
    writeOffInvoice(invoiceId: string): void;
    /** Takes a charge's or payment intent's id. Answers the refund's id. */
    refund(paymentId: string, amount?: number): string;
    /** Takes a charge's or payment intent's id. Answers the dispute's id. */
    dispute(paymentId: string, amount?: number): string;
    /** Ends a dispute as the bank decides. The charge stays marked as disputed. */
    closeDispute(disputeId: string, outcome: 'won' | 'lost'): void;
    deleteCustomer(customerId: string): void;
    archiveProduct(productId: string): void;
  };

  /** What the peer holds now, as the API answers it; copies. */
  readonly holds: {
    customers(): readonly Stripe.Customer[];
    subscriptions(): readonly Stripe.Subscription[];
    sessions(): readonly Stripe.Checkout.Session[];
    invoices(): readonly Stripe.Invoice[];
    paymentIntents(): readonly Stripe.PaymentIntent[];
    charges(): readonly Stripe.Charge[];
    disputes(): readonly Stripe.Dispute[];
    products(): readonly Stripe.Product[];
    prices(): readonly Stripe.Price[];
    portalSessions(): readonly Stripe.BillingPortal.Session[];
    portalConfigurations(): readonly Stripe.BillingPortal.Configuration[];
  };

  fail(trouble: EmulatedFault): void;

  /** Events that were never delivered with a 2xx. */
  waiting(): readonly StripeEvent[];
  /** Sends events signed as Stripe signs them, one after another, and waits for the answers. */
  deliver(delivery: Delivery): Promise<readonly Delivered[]>;
  /** From now on every event is sent as it happens; `undefined` stops. */
  deliverAutomatically(to: string | undefined): void;
  /** Resolves once everything sent automatically has been answered. */
  delivered(): Promise<void>;
  /** The body and headers of one event's delivery, for a test that sends it itself. */
  signed(
    eventId: string,
    how?: { readonly ageSeconds?: number; readonly secret?: string },
  ): { readonly body: string; readonly headers: Readonly<Record<string, string>> };

  close(): Promise<void>;
};

export type StripePeerOptions = {
  readonly webhookSecret?: string;
  /** Milliseconds since 1970 before any `advance`; the machine's clock where absent. */
  readonly now?: () => number;
  /** What a subscription becomes once its last retry failed; `canceled` where absent. */
  readonly afterRetries?: 'canceled' | 'unpaid';
};
