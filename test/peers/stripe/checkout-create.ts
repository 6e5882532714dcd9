import { z } from 'zod';
import type { Catalogue } from './catalogue.ts';
import { type SessionStart, sessionOf } from './checkout-objects.ts';
import { Flag, Metadata, type Params, readParams, Text, Url, Whole } from './forms.ts';
import type { Customer, Price, Session } from './objects.ts';
import { PriceData } from './prices.ts';
import { malformed, refused } from './refusal.ts';
import { need, type World } from './world.ts';

const PaymentIntentData = z.object({ description: Text.optional(), metadata: Metadata.optional() });
const SubscriptionData = z.object({
  description: Text.optional(),
  metadata: Metadata.optional(),
  trial_period_days: Whole.pipe(z.number().min(1).max(730)).optional(),
});
const Auto = z.enum(['auto', 'never']).optional();
const InvoiceData = z.object({ description: Text.optional(), metadata: Metadata.optional() });
/** What the peer acts on; that there is nothing else in it is the published schema's to say. */
const Create = z.object({
  mode: z.enum(['payment', 'subscription']),
  ui_mode: z.literal('hosted_page').optional(),
  line_items: z
    .array(
      z.object({
        price: Text.optional(),
        price_data: PriceData.optional(),
        quantity: Whole.pipe(z.number().min(1)).default(1),
      }),
    )
    .min(1)
    .max(20),
  success_url: z.string(),
  cancel_url: z.string().optional(),
  customer: Text.optional(),
  customer_email: z.email().optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  client_reference_id: Text.max(200).optional(),
  metadata: Metadata.optional(),
  allow_promotion_codes: Flag.optional(),
  locale: Text.optional(),
  automatic_tax: z.object({ enabled: Flag }).optional(),
  tax_id_collection: z.object({ enabled: Flag }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  customer_update: z.object({ address: Auto, name: Auto, shipping: Auto }).optional(),
  invoice_creation: z.object({ enabled: Flag, invoice_data: InvoiceData.optional() }).optional(),
  expires_at: Whole.optional(),
  payment_intent_data: PaymentIntentData.optional(),
  subscription_data: SubscriptionData.optional(),
});

type Fields = z.infer<typeof Create>;

/** What the session does once it is paid. */
export type Plan = {
  readonly payment: z.infer<typeof PaymentIntentData>;
  readonly subscription: z.infer<typeof SubscriptionData>;
  /** Undefined where a payment leaves no invoice. */
  readonly invoice: z.infer<typeof InvoiceData> | undefined;
  /** What of the customer is replaced by what is entered. */
  readonly replaces: { readonly name: boolean; readonly address: boolean };
};

/** A new open session, and what it will do. @throws Refusal as Stripe refuses. */
export function createSession(
  world: World,
  catalogue: Catalogue,
  params: Params,
  urlOf: SessionStart['url'],
): { session: Session; plan: Plan } {
  const fields = readParams(Create, params);
  refuseContradictions(fields);
  for (const name of ['success_url', 'cancel_url'] as const) {
    if (fields[name] !== undefined && !Url.safeParse(fields[name]).success) {
      throw refused('Not a valid URL', name, 'url_invalid');
    }
  }
  const customer = fields.customer ? need(world.customers, 'customer', fields.customer, 'customer') : null;
  if (customer) refuseWithoutPlace(fields, customer);
  const items = fields.line_items.map((item, index) => ({
    price: priceOf(world, catalogue, item, index),
    quantity: item.quantity,
  }));
  refuseWrongPrices(
    fields,
    items.map(({ price }) => price),
  );
  if (customer && fields.mode === 'subscription') refuseOtherCurrency(world, customer.id, items[0]?.price);
  const session = sessionOf(world, {
    mode: fields.mode,
    items,
    customer: customer?.id ?? null,
    customerCreation: customer
      ? null
      : (fields.customer_creation ?? (fields.mode === 'subscription' ? 'always' : 'if_required')),
    email: fields.customer_email ?? customer?.email ?? null,
    reference: fields.client_reference_id ?? null,
    metadata: fields.metadata ?? {},
    successUrl: fields.success_url,
    cancelUrl: fields.cancel_url ?? null,
    expiresAt: expiryOf(fields, world.now()),
    trialDays: fields.subscription_data?.trial_period_days ?? 0,
    allowPromotionCodes: fields.allow_promotion_codes ?? null,
    locale: fields.locale ?? null,
    automaticTax: fields.automatic_tax?.enabled ?? false,
    taxIds: fields.tax_id_collection?.enabled ?? false,
    billingAddress: fields.billing_address_collection ?? null,
    invoiceCreation: fields.invoice_creation?.enabled ? (fields.invoice_creation.invoice_data ?? {}) : null,
    url: urlOf,
  });
  world.sessions.set(session.id, session);
  return {
    session,
    plan: {
      payment: fields.payment_intent_data ?? {},
      subscription: fields.subscription_data ?? {},
      invoice: fields.invoice_creation?.enabled ? (fields.invoice_creation.invoice_data ?? {}) : undefined,
      replaces: {
        name: fields.customer_update?.name === 'auto',
        address: fields.customer_update?.address === 'auto',
      },
    },
  };
}

function refuseContradictions(fields: Fields): void {
  if (fields.customer && fields.customer_email) {
    throw refused('You may only specify one of these parameters: customer, customer_email.', 'customer');
  }
  if (fields.customer && fields.customer_creation) {
    throw refused('`customer_creation` can not be used with `customer`.', 'customer_creation');
  }
  if (fields.customer_update && !fields.customer) {
    throw refused('`customer_update` can only be used with `customer`.', 'customer_update');
  }
  if (fields.mode === 'subscription' && fields.invoice_creation) {
    throw refused(
      'You can only enable invoice creation when `mode` is set to `payment`. Invoices are created automatically when `mode` is set to `subscription`.',
      'invoice_creation',
    );
  }
  if (fields.mode === 'payment' && fields.subscription_data) {
    throw refused('You can not pass `subscription_data` in `payment` mode.', 'subscription_data');
  }
  if (fields.mode === 'subscription' && fields.payment_intent_data) {
    throw refused('You can not pass `payment_intent_data` in `subscription` mode.', 'payment_intent_data');
  }
  if (fields.mode === 'subscription' && fields.customer_creation) {
    throw refused('`customer_creation` can only be used in `payment` mode.', 'customer_creation');
  }
}

/** Tax is by the customer's address, and a tax ID is of a company with a name. */
function refuseWithoutPlace(fields: Fields, { address }: Customer): void {
  const { automatic_tax, tax_id_collection, customer_update } = fields;
  const savesAddress = customer_update?.address === 'auto' || customer_update?.shipping === 'auto';
  if (automatic_tax?.enabled && !address?.country && !savesAddress) {
    throw refused(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      undefined,
      'customer_tax_location_invalid',
    );
  }
  if (tax_id_collection?.enabled && customer_update?.name !== 'auto') {
    throw refused(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
      'customer_update[name]',
    );
  }
}

function refuseOtherCurrency(world: World, customer: string, price: Price | undefined): void {
  const held = [...world.subscriptions.values()].find(
    (one) => one.customer === customer && one.status !== 'canceled' && one.status !== 'incomplete_expired',
  );
  if (!held || !price || held.currency === price.currency) return;
  throw refused(
    `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${held.currency}.`,
  );
}

function priceOf(
  world: World,
  catalogue: Catalogue,
  item: Fields['line_items'][number],
  index: number,
): Price {
  const at = `line_items[${index}][price]`;
  if (item.price === undefined && !item.price_data) {
    throw malformed('parameter_missing', at, `Missing required param: ${at}.`);
  }
  if (item.price === undefined && item.price_data) {
    return catalogue.createPrice({ ...item.price_data, active: false });
  }
  const price = need(world.prices, 'price', item.price ?? '', at);
  if (!price.active)
    throw refused('The price specified is inactive. This field only accepts active prices.', at);
  if (!world.products.get(price.product)?.active)
    throw refused('The product of this price is not active.', at);
  return price;
}

function refuseWrongPrices({ mode }: Fields, prices: readonly Price[]): void {
  const recurring = prices.some((price) => price.type === 'recurring');
  if (mode === 'payment' && recurring) {
    throw refused(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'mode',
    );
  }
  if (mode === 'subscription' && !recurring) {
    throw refused(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      'line_items',
    );
  }
  if (new Set(prices.map(({ currency }) => currency)).size > 1) {
    throw refused('All prices of a Checkout Session must have the same currency.', 'line_items');
  }
}

function expiryOf({ expires_at }: Fields, now: number): number {
  if (expires_at === undefined) return now + 86_400;
  if (expires_at < now + 1800 || expires_at > now + 86_400) {
    throw refused(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      'expires_at',
    );
  }
  return expires_at;
}
