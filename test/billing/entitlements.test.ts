import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as billingRepo from '../../src/billing/billing-repo.ts';
import { createEntitlements } from '../../src/billing/entitlements.ts';
import type { Subscription } from '../../src/billing/payment-service.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

const NOW = Date.parse('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000);

const pro: Subscription = {
  id: 'sub_1',
  app: 'hooks',
  plan: 'pro',
  status: 'active',
  priceId: 'price_1',
  interval: 'month',
  intervalCount: 1,
  amount: 900,
  currency: 'usd',
  currentPeriodEnd: new Date('2026-12-01T00:00:00Z'),
  cancelAtPeriodEnd: false,
  pastDueSince: null,
};

/** The plans of an account with these subscriptions. */
async function plansWith(...subscriptions: Partial<Subscription>[]) {
  await database.sql`insert into accounts (id, name, is_local) values ('acc_1', 'test', false)`;
  for (const [index, one] of subscriptions.entries())
    await billingRepo.saveSubscription(database.sql, 'acc_1', { ...pro, id: `sub_${index}`, ...one });
  const { hooks, sync } = await createEntitlements({ sql: database.sql, now: () => NOW }).of('acc_1');
  const overdue = [hooks.pastDue && 'hooks', sync.pastDue && 'sync'].filter(Boolean).join();
  return [hooks.plan, sync.plan, overdue ? `past due: ${overdue}` : 'paid'];
}

test.each([
  ['nothing', [], ['free', 'free', 'paid']],
  ['an active one', [{}], ['pro', 'free', 'paid']],
  ['a trial', [{ status: 'trialing' }], ['pro', 'free', 'paid']],
  ['one that ends with its period', [{ cancelAtPeriodEnd: true }], ['pro', 'free', 'paid']],
  ['both apps', [{}, { app: 'sync', plan: 'pro_api' }], ['pro', 'pro_api', 'paid']],
  ['two of one app', [{ plan: 'enterprise' }, {}], ['enterprise', 'free', 'paid']],
  ['owed for 6 days', [{ status: 'past_due', pastDueSince: daysAgo(6) }], ['pro', 'free', 'paid']],
  [
    'owed for 8 days',
    [{ status: 'past_due', pastDueSince: daysAgo(8) }],
    ['free', 'free', 'past due: hooks'],
  ],
  [
    'the other app owed for 8 days',
    [{}, { app: 'sync', status: 'past_due', pastDueSince: daysAgo(8) }],
    ['pro', 'free', 'past due: sync'],
  ],
  [
    'given up as unpaid',
    [{ status: 'unpaid', pastDueSince: daysAgo(30) }],
    ['free', 'free', 'past due: hooks'],
  ],
  ['given up early', [{ status: 'unpaid', pastDueSince: daysAgo(3) }], ['free', 'free', 'past due: hooks']],
  ['canceled', [{ status: 'canceled' }], ['free', 'free', 'paid']],
  ['never begun', [{ status: 'incomplete' }], ['free', 'free', 'paid']],
  ['begun too late', [{ status: 'incomplete_expired' }], ['free', 'free', 'paid']],
  ['paused', [{ status: 'paused' }], ['free', 'free', 'paid']],
  ['a plan nobody knows', [{ plan: 'constructor' }], ['free', 'free', 'paid']],
] as const)('%s', async (_title, subscriptions, plans) => {
  expect(await plansWith(...subscriptions)).toEqual(plans);
});

test('the local owner has the largest plans', async () => {
  await database.sql`insert into accounts (id, name, is_local) values ('acc_1', 'local', true)`;
  const { hooks, sync } = await createEntitlements({ sql: database.sql }).of('acc_1');
  expect([hooks.plan, hooks.hooksLimit, sync.plan]).toEqual(['enterprise', -1, 'pro_api']);
});

test('what is invalidated is read again', async () => {
  const entitlements = createEntitlements({ sql: database.sql, now: () => NOW });
  await database.sql`insert into accounts (id, name, is_local) values ('acc_1', 'test', false)`;
  expect((await entitlements.of('acc_1')).hooks.plan).toBe('free');
  await billingRepo.saveSubscription(database.sql, 'acc_1', pro);
  expect((await entitlements.of('acc_1')).hooks.plan).toBe('free');
  entitlements.invalidate('acc_1');
  expect((await entitlements.of('acc_1')).hooks.plan).toBe('pro');
});

test('a feature of a larger plan names the least plan that has it', async () => {
  await database.sql`insert into accounts (id, name, is_local) values ('acc_1', 'test', false)`;
  const { requireFeature } = createEntitlements({ sql: database.sql });
  await expect(requireFeature('acc_1', 'api_keys')).rejects.toMatchObject({
    key: 'plan_required.feature',
    params: { feature: 'api_keys', plan: 'enterprise' },
  });
});

test.each<[string, Partial<Subscription>[], string[]]>([
  ['nothing', [], []],
  ['hooks Pro and sync Pro', [{}, { app: 'sync', plan: 'pro' }], []],
  ['hooks Enterprise', [{ plan: 'enterprise' }], ['keys', 'hooks']],
  ['sync Pro API', [{ app: 'sync', plan: 'pro_api' }], ['keys', 'sync']],
  ['both', [{ plan: 'enterprise' }, { app: 'sync', plan: 'pro_api' }], ['keys', 'hooks', 'sync']],
])('keys of an account with %s can be had and used for: %s', async (_what, subscriptions, expected) => {
  await plansWith(...subscriptions);
  const entitlements = createEntitlements({ sql: database.sql, now: () => NOW });
  const questions = {
    keys: entitlements.requireKeys('acc_1'),
    hooks: entitlements.requireApi('acc_1', 'hooks'),
    sync: entitlements.requireApi('acc_1', 'sync'),
  };
  const answers = await Promise.allSettled(Object.values(questions));
  expect(Object.keys(questions).filter((_, index) => answers[index]?.status === 'fulfilled')).toEqual(
    expected,
  );
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ code: 'plan_required', status: 403 });
});
