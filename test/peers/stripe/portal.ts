import { z } from 'zod';
import { Flag, Metadata, Paging, readParams, Text, Url } from './forms.ts';
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
const Configure = z.strictObject({
  business_profile: z
    .strictObject({
      headline: z.string().optional(),
      privacy_policy_url: Url.optional(),
      terms_of_service_url: Url.optional(),
    })
    .optional(),
  default_return_url: Url.optional(),
  features: z.record(z.string(), z.unknown()),
  metadata: Metadata.optional(),
  name: Text.optional(),
});
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
        const configuration = configurationOf(world, readParams(Configure, params), false);
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

function configurationOf(
  world: World,
  fields: z.infer<typeof Configure>,
  is_default: boolean,
): PortalConfiguration {
  const on = (name: string): boolean => {
    const feature = fields.features[name];
    return (
      is_default ||
      (typeof feature === 'object' && feature !== null && Reflect.get(feature, 'enabled') === 'true')
    );
  };
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
    features: {
      customer_update: { allowed_updates: ['email'], enabled: on('customer_update') },
      invoice_history: { enabled: on('invoice_history') },
      payment_method_update: { enabled: on('payment_method_update'), payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: [], options: [] },
        enabled: on('subscription_cancel'),
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: on('subscription_update'),
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: fields.metadata ?? {},
    name: fields.name ?? null,
    updated: world.now(),
  };
}
