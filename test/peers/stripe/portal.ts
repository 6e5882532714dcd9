import { z } from 'zod';
import { Flag, Metadata, mergedMetadata, Paging, readParams, Text, Url } from './forms.ts';
import type { PortalConfiguration, PortalSession } from './objects.ts';
import { pageOf } from './pages.ts';
import { refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { need, type World } from './world.ts';

const OfSubscription = z.object({ subscription: Text });
/** What the peer acts on; that there is nothing else in it is the published schema's to say. */
const Create = z.object({
  customer: Text,
  configuration: Text.optional(),
  return_url: Url.optional(),
  locale: Text.optional(),
  flow_data: z
    .object({
      type: z.enum([
        'payment_method_update',
        'subscription_cancel',
        'subscription_update',
        'subscription_update_confirm',
      ]),
      subscription_cancel: OfSubscription.optional(),
      subscription_update: OfSubscription.optional(),
      subscription_update_confirm: OfSubscription.optional(),
    })
    .optional(),
});
const Enabled = z.strictObject({ enabled: Flag });
const Proration = z.enum(['always_invoice', 'create_prorations', 'none']);
const Features = z.strictObject({
  customer_update: Enabled.extend({
    allowed_updates: z.array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])).optional(),
  }).optional(),
  invoice_history: Enabled.optional(),
  payment_method_update: Enabled.optional(),
  subscription_cancel: Enabled.extend({
    cancellation_reason: Enabled.extend({
      options: z.array(
        z.enum([
          'customer_service',
          'low_quality',
          'missing_features',
          'other',
          'switched_service',
          'too_complex',
          'too_expensive',
          'unused',
        ]),
      ),
    }).optional(),
    mode: z.enum(['at_period_end', 'immediately']).optional(),
    proration_behavior: Proration.optional(),
  }).optional(),
  subscription_update: Enabled.extend({
    default_allowed_updates: z.array(z.enum(['price', 'promotion_code', 'quantity'])).optional(),
    products: z
      .array(z.strictObject({ product: Text, prices: z.array(Text).min(1) }))
      .max(10)
      .optional(),
    proration_behavior: Proration.optional(),
    schedule_at_period_end: z
      .strictObject({
        conditions: z.array(
          z.strictObject({ type: z.enum(['decreasing_item_amount', 'shortening_interval']) }),
        ),
      })
      .optional(),
  }).optional(),
});
const Fields = {
  business_profile: z
    .strictObject({
      headline: z.string().optional(),
      privacy_policy_url: Url.optional(),
      terms_of_service_url: Url.optional(),
    })
    .optional(),
  default_return_url: Url.optional(),
  metadata: Metadata.optional(),
  name: Text.optional(),
};
const Configure = z.strictObject({ ...Fields, features: Features });
const Reconfigure = z.strictObject({ ...Fields, active: Flag.optional(), features: Features.optional() });
type Features = z.infer<typeof Features>;
const List = z.strictObject({ ...Paging, active: Flag.optional(), is_default: Flag.optional() });

/** Portal sessions and their configurations. The default one is there as if it had been saved in the dashboard. */
export function createPortal(world: World, origin: () => string) {
  const fallback = configurationOf(world, { features: {} }, true);
  world.portalConfigurations.set(fallback.id, fallback);

  function open(fields: z.infer<typeof Create>): PortalSession {
    const customer = need(world.customers, 'customer', fields.customer, 'customer');
    const configuration = need(
      world.portalConfigurations,
      'configuration',
      fields.configuration ?? fallback.id,
      'configuration',
    );
    const flow = fields.flow_data;
    const named = flow?.subscription_cancel ?? flow?.subscription_update ?? flow?.subscription_update_confirm;
    if (flow && flow.type !== 'payment_method_update' && !named) {
      throw refused(
        `Missing required param: flow_data[${flow.type}].`,
        `flow_data[${flow.type}]`,
        'parameter_missing',
      );
    }
    if (
      named &&
      need(world.subscriptions, 'subscription', named.subscription, 'flow_data').customer !== customer.id
    ) {
      throw refused(`The subscription ${named.subscription} does not belong to the customer.`, 'flow_data');
    }
    if (!configuration.active) throw refused('The portal configuration is inactive.', 'configuration');
    if (flow) refuseDisabled(flow.type, configuration);
    const id = world.id('bps');
    const session: PortalSession = {
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: world.now(),
      customer: customer.id,
      customer_account: null,
      flow: flow ? flowOf(flow.type, named?.subscription) : null,
      livemode: false,
      locale: fields.locale ?? null,
      on_behalf_of: null,
      return_url: fields.return_url ?? configuration.default_return_url,
      url: `${origin()}/p/session/${id}`,
    };
    world.portalSessions.set(id, session);
    return session;
  }

  const routes: Route[] = [
    {
      method: 'POST',
      path: '/v1/billing_portal/sessions',
      contract: 'PortalCreate',
      run: (params) => open(readParams(Create, params)),
    },
    {
      method: 'POST',
      path: '/v1/billing_portal/configurations',
      run: (params) => {
        const fields = readParams(Configure, params);
        refuseForeignPrices(world, fields.features);
        const configuration = configurationOf(world, fields, false);
        world.portalConfigurations.set(configuration.id, configuration);
        world.emit('billing_portal.configuration.created', configuration);
        return configuration;
      },
    },
    {
      method: 'GET',
      path: '/v1/billing_portal/configurations',
      run: (params) => {
        const { active, is_default, ...paging } = readParams(List, params);
        const found = [...world.portalConfigurations.values()].filter(
          (held) =>
            (active === undefined || held.active === active) &&
            (is_default === undefined || held.is_default === is_default),
        );
        return pageOf('/v1/billing_portal/configurations', found, paging);
      },
    },
    {
      method: 'GET',
      path: '/v1/billing_portal/configurations/:id',
      run: (_params, id) => need(world.portalConfigurations, 'configuration', id),
    },
    {
      method: 'POST',
      path: '/v1/billing_portal/configurations/:id',
      run: (params, id) => {
        const { active, features, metadata, ...fields } = readParams(Reconfigure, params);
        const configuration = need(world.portalConfigurations, 'configuration', id);
        refuseForeignPrices(world, features ?? {});
        return world.change('billing_portal.configuration.updated', configuration, () => {
          if (active !== undefined) configuration.active = active;
          if (fields.name !== undefined) configuration.name = fields.name;
          if (features) Object.assign(configuration.features, featuresOf(features));
          configuration.metadata = mergedMetadata(configuration.metadata ?? {}, metadata);
          configuration.updated = world.now();
        });
      },
    },
  ];
  return { routes };
}

function flowOf(
  type: NonNullable<PortalSession['flow']>['type'],
  subscription = '',
): NonNullable<PortalSession['flow']> {
  return {
    after_completion: { hosted_confirmation: null, redirect: null, type: 'portal_homepage' },
    customer_update: null,
    subscription_pause: null,
    subscription_cancel: type === 'subscription_cancel' ? { retention: null, subscription } : null,
    subscription_update: type === 'subscription_update' ? { subscription } : null,
    subscription_update_confirm:
      type === 'subscription_update_confirm' ? { discounts: null, items: [], subscription } : null,
    type,
  };
}

function refuseDisabled(type: NonNullable<PortalSession['flow']>['type'], { features }: PortalConfiguration) {
  const needed = {
    payment_method_update: features.payment_method_update,
    subscription_cancel: features.subscription_cancel,
    subscription_update: features.subscription_update,
    subscription_update_confirm: features.subscription_update,
  };
  const feature: { enabled: boolean } | undefined = Reflect.get(needed, type);
  if (feature?.enabled) return;
  throw refused(
    `This flow needs a feature that is disabled in the portal configuration: ${type}.`,
    'flow_data[type]',
  );
}

/** Prices must be recurring, for sale and of the product they are listed under. */
function refuseForeignPrices(world: World, { subscription_update: update }: Features): void {
  if (update?.enabled && !update.products?.length && update.default_allowed_updates?.includes('price'))
    throw refused(
      'You must provide products to let customers update prices.',
      'features[subscription_update]',
    );
  for (const [place, { product, prices }] of (update?.products ?? []).entries()) {
    const at = `features[subscription_update][products][${place}]`;
    need(world.products, 'product', product, `${at}[product]`);
    for (const id of prices) {
      const price = need(world.prices, 'price', id, `${at}[prices]`);
      if (price.product !== product || !price.active || !price.recurring)
        throw refused(`The price ${id} is not an active recurring price of ${product}.`, `${at}[prices]`);
    }
  }
}

function featuresOf(features: Features, isDefault = false): PortalConfiguration['features'] {
  const { customer_update, subscription_cancel: cancel, subscription_update: update } = features;
  const on = (feature: { enabled: boolean } | undefined) => isDefault || (feature?.enabled ?? false);
  return {
    customer_update: {
      allowed_updates: customer_update?.allowed_updates ?? (isDefault ? ['email'] : []),
      enabled: on(customer_update),
    },
    invoice_history: { enabled: on(features.invoice_history) },
    payment_method_update: {
      enabled: on(features.payment_method_update),
      payment_method_configuration: null,
    },
    subscription_cancel: {
      cancellation_reason: {
        enabled: cancel?.cancellation_reason?.enabled ?? false,
        feedback_options: [],
        options: cancel?.cancellation_reason?.options ?? [],
      },
      enabled: on(cancel),
      mode: cancel?.mode ?? 'at_period_end',
      proration_behavior: cancel?.proration_behavior ?? 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: update?.default_allowed_updates ?? [],
      enabled: on(update),
      products: (update?.products ?? []).map((product) => ({
        ...product,
        adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
      })),
      proration_behavior: update?.proration_behavior ?? 'none',
      schedule_at_period_end: { conditions: update?.schedule_at_period_end?.conditions ?? [] },
      trial_update_behavior: 'end_trial',
    },
  };
}

function configurationOf(
  world: World,
  fields: z.infer<typeof Configure>,
  is_default: boolean,
): PortalConfiguration {
  return {
    id: world.id('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: fields.business_profile?.headline ?? null,
      privacy_policy_url: fields.business_profile?.privacy_policy_url ?? null,
      terms_of_service_url: fields.business_profile?.terms_of_service_url ?? null,
    },
    created: world.now(),
    default_return_url: fields.default_return_url ?? null,
    features: featuresOf(fields.features, is_default),
    is_default,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: fields.metadata ?? {},
    name: fields.name ?? null,
    updated: world.now(),
  };
}
