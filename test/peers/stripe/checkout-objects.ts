import { type LineItem, list, type Price, type Session } from './objects.ts';
import type { World } from './world.ts';

export type SessionStart = {
  readonly mode: 'payment' | 'subscription';
  readonly items: readonly { readonly price: Price; readonly quantity: number }[];
  readonly customer: string | null;
  readonly customerCreation: 'always' | 'if_required' | null;
  readonly email: string | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly expiresAt: number;
  readonly trialDays: number;
  readonly allowPromotionCodes: boolean | null;
  readonly locale: string | null;
  readonly automaticTax: boolean;
  readonly taxIds: boolean;
  readonly billingAddress: 'auto' | 'required' | null;
  readonly invoiceCreation: {
    readonly description?: string | undefined;
    readonly metadata?: Record<string, string> | undefined;
  } | null;
  readonly url: (id: string) => string;
};

export function sessionOf(world: World, start: SessionStart): Session {
  const id = world.id('cs_test');
  const lines = start.items.map((item) => lineOf(world, item));
  const total = start.trialDays > 0 ? 0 : lines.reduce((sum, { amount_total }) => sum + amount_total, 0);
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: start.allowPromotionCodes,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: start.automaticTax
      ? { enabled: true, liability: { type: 'self' }, provider: 'stripe', status: 'requires_location_inputs' }
      : { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: start.billingAddress,
    cancel_url: start.cancelUrl,
    client_reference_id: start.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: world.now(),
    currency: start.items[0]?.price.currency ?? null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: start.customer,
    customer_account: null,
    customer_creation: start.customerCreation,
    customer_details: start.email
      ? {
          address: null,
          business_name: null,
          email: start.email,
          individual_name: null,
          name: null,
          phone: null,
          tax_exempt: 'none',
          tax_ids: null,
        }
      : null,
    customer_email: start.customer ? null : start.email,
    discounts: [],
    expires_at: start.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation:
      start.mode === 'subscription'
        ? null
        : {
            enabled: start.invoiceCreation !== null,
            invoice_data: {
              account_tax_ids: null,
              custom_fields: null,
              description: start.invoiceCreation?.description ?? null,
              footer: null,
              issuer: null,
              metadata: start.invoiceCreation?.metadata ?? {},
              rendering_options: null,
            },
          },
    line_items: list(`/v1/checkout/sessions/${id}/line_items`, lines),
    livemode: false,
    locale: start.locale,
    managed_payments: null,
    metadata: start.metadata,
    mode: start.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: start.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: total === 0 ? 'no_payment_required' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: start.successUrl,
    tax_id_collection: { enabled: start.taxIds, required: 'never' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: start.url(id),
    wallet_options: null,
  };
}

function lineOf(world: World, { price, quantity }: SessionStart['items'][number]): LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: world.id('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: world.products.get(price.product)?.name ?? null,
    metadata: {},
    price: structuredClone(price),
    quantity,
  };
}
