import { createBilling } from '../billing/billing.ts';
import { createEntitlements } from '../billing/entitlements.ts';
import { createPlanGrants } from '../billing/plan-grants.ts';
import type { Config } from '../config.ts';
import { createContactsOf } from '../identity/accounts/account-contact.ts';
import { createStripePayments } from '../providers/stripe/stripe.ts';
import { createQuota } from '../quota/create-quota.ts';
import { createVisitorQuota } from '../quota/create-visitor-quota.ts';
import { type Base, defineService } from './service.ts';

/** Plans, quotas and payments. */
export function wireBilling({ sql, config, log, audit, now }: Base) {
  const entitlements = createEntitlements({ sql, now });
  const quota = createQuota({ sql, entitlements, now });
  const { anonymousHooks: daily, anonymousHooksTotal: ceiling } = config;
  const visitorQuota = createVisitorQuota({ sql, daily, ceiling, now });
  const payments = openPayments(config, now);
  const origins = config.checkoutOrigins ?? [];
  const contactsOf = createContactsOf({ sql });
  const { stripeCurrency: currency, stripeTrialDays: trialDays } = config;
  const shop = { payments, origins, currency, trialDays };
  const planGrants = createPlanGrants({ sql, audit, entitlements });
  const billing = createBilling({ ...shop, sql, entitlements, credits: quota, audit, contactsOf, log, now });
  return defineService({
    api: { entitlements, quota, visitorQuota, billing, planGrants },
    listeners: [
      ...entitlements.listeners,
      {
        channel: 'price_catalogue',
        onNotify: billing.invalidatePrices,
        onReconnect: billing.invalidatePrices,
      },
      { channel: 'stripe_events', onNotify: billing.work, onReconnect: billing.work },
    ],
    jobs: {
      hourly: { billing: billing.reconcile, contacts: billing.refreshContacts },
      frequent: { quota: quota.sweep, visitors: visitorQuota.sweep, payments: billing.work },
    },
    retained: [{ kind: 'usage', rows: quota }],
    exporters: [{ name: 'quota_ledger', read: quota.entries }],
  });
}

function openPayments(config: Config, now: () => number) {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config;
  const { stripeBaseUrl: baseUrl, stripeCheckout: checkout } = config;
  if (!secretKey || !webhookSecret) return undefined;
  return createStripePayments({ secretKey, webhookSecret, baseUrl, checkout, now });
}
