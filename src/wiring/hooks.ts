import type { Prompts } from '../ai/prompts.ts';
import type { Writers } from '../ai/writer.ts';
import type { Audit } from '../audit/audit.ts';
import { createBilling } from '../billing/billing.ts';
import { createEntitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import { createBrandVoices } from '../hooks/brand-voices.ts';
import { createHooks } from '../hooks/hooks.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { createStripePayments } from '../providers/stripe.ts';
import { createQuota } from '../quota/create-quota.ts';
import { createVisitorQuota } from '../quota/create-visitor-quota.ts';

type Parts = {
  readonly sql: Sql;
  readonly config: Config;
  readonly log: Log;
  readonly audit: Audit;
  readonly prompts: Prompts;
  /** In a hurry: somebody waits for hooks, and their units are held meanwhile. */
  readonly writers: Writers;
};

/** The hook service with what it is sold by: plans, quotas, payments. */
export function composeHooks({ sql, config, log, audit, prompts, writers }: Parts) {
  const entitlements = createEntitlements({ sql });
  const quota = createQuota({ sql, entitlements });
  const { anonymousHooks: daily, anonymousHooksTotal: ceiling } = config;
  const visitorQuota = createVisitorQuota({ sql, daily, ceiling });
  const brandVoices = createBrandVoices({ sql, entitlements });
  const { hooksDefaultProvider: defaultProvider, hooksByokFree: byokFree } = config;
  const sold = { entitlements, quota, visitorQuota };
  const hooks = createHooks({
    sql,
    prompts,
    writers,
    ...sold,
    voices: brandVoices,
    defaultProvider,
    byokFree,
  });
  const payments = paymentsOf(config);
  const origins = config.checkoutOrigins ?? [];
  const billing = createBilling({ sql, payments, entitlements, credits: quota, audit, origins, log });
  return { ...sold, brandVoices, hooks, billing };
}

function paymentsOf({
  stripeSecretKey: secretKey,
  stripeWebhookSecret: webhookSecret,
  stripeBaseUrl,
}: Config) {
  if (!secretKey || !webhookSecret) return undefined;
  return createStripePayments({ secretKey, webhookSecret, baseUrl: stripeBaseUrl });
}
