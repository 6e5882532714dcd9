import { afterAll, beforeAll, expect, test } from 'vitest';
import * as billingRepo from '../../../src/billing/billing-repo.ts';
import type { Subscription } from '../../../src/billing/payment-service.ts';
import { localCaller } from '../../../src/identity/accounts/accounts.ts';
import { type Caller, SCOPES } from '../../../src/identity/caller.ts';
import * as membershipRepo from '../../../src/identity/members/membership-repo.ts';
import { scopesOf } from '../../../src/identity/members/roles.ts';
import { newId } from '../../../src/platform/ids.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';
import { givePlan } from '../../support/plans.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function member(): Promise<Caller> {
  const { accountId } = await newBareCaller(app, 'Bakery');
  const userId = newId('usr');
  await app.database.sql`
    insert into users (id, email, name, auth_provider, created_at)
    values (${userId}, ${`${userId}@example.com`}, 'Mia', 'password', '2026-03-01T08:00:00Z')`;
  await membershipRepo.insert(app.database.sql, accountId, userId, 'member');
  return { accountId, actor: 'Mia', scopes: scopesOf('member'), via: 'session', userId };
}

test('a person sees themselves, the plan of the account and their role', async () => {
  const caller = await member();
  expect(await useTools(app, caller)('get_profile')).toEqual({
    id: caller.userId,
    name: 'Mia',
    email: `${caller.userId}@example.com`,
    avatar: null,
    plan: 'free',
    plans: { hooks: 'free', sync: 'free' },
    payment_customer_id: null,
    subscription: {
      display_name: 'Free',
      status: 'none',
      interval: null,
      interval_count: null,
      renewal_date: null,
      cancelAtPeriodEnd: false,
    },
    created_at: '2026-03-01T08:00:00.000Z',
    member_since: '2026-03-01T08:00:00.000Z',
    auth_provider: 'password',
    language: null,
    role: 'member',
    account: { id: caller.accountId, name: 'Bakery' },
  });
});

test('a subscription shows with its status and when it renews', async () => {
  const caller = await member();
  await givePlan(app, caller.accountId, 'pro');
  expect(await useTools(app, caller)('get_profile')).toMatchObject({
    plan: 'pro',
    subscription: { display_name: 'Pro', status: 'active', interval: 'month', cancelAtPeriodEnd: false },
  });
});

test('of two subscriptions the profile shows the one that the summary does', async () => {
  const caller = await member();
  const { accountId } = caller;
  const larger: Subscription = {
    id: `sub_a_${accountId}`,
    app: 'hooks',
    plan: 'enterprise',
    status: 'active',
    priceId: 'price_1',
    interval: 'year',
    intervalCount: 1,
    amount: 47_040,
    currency: 'usd',
    currentPeriodEnd: new Date('2027-06-01'),
    cancelAtPeriodEnd: false,
    pastDueSince: null,
  };
  const newer: Subscription = { ...larger, id: `sub_b_${accountId}`, plan: 'pro', interval: 'month' };
  const shown = async () => {
    await billingRepo.saveSubscription(app.database.sql, accountId, newer);
    app.entitlements.invalidate(accountId);
    const { status, interval, renewal_date, cancelAtPeriodEnd } = (await app.profiles.get(caller))
      .subscription;
    expect(await app.billing.summary(accountId, 'hooks')).toMatchObject({
      ...{ status, interval, renewal_date, cancelAtPeriodEnd },
    });
    return [interval, status];
  };
  await billingRepo.saveSubscription(app.database.sql, accountId, larger);
  expect(await shown()).toEqual(['year', 'active']);
  await billingRepo.saveSubscription(app.database.sql, accountId, {
    ...larger,
    status: 'past_due',
    pastDueSince: new Date(),
  });
  expect(await shown()).toEqual(['month', 'active']);
});

test('a person changes their own name, language and picture, and nothing of the account', async () => {
  const caller = await member();
  const changes = { name: 'Mia Sol', language: 'es', avatar: 'https://img.example.com/mia.png' };
  const profile = await useTools(app, caller)('update_profile', changes);
  expect(profile).toMatchObject({ ...changes, account: { name: 'Bakery' } });
  expect(await useTools(app, caller)('update_profile', {})).toEqual(profile);
});

test.each([
  ['a picture that is no https address', { avatar: 'javascript:alert(1)' }],
  ['a blank name', { name: '   ' }],
  ['a name of two lines', { name: 'Mia\nBcc: all' }],
  ['another address', { email: 'root@example.com' }],
  ['a plan', { plan: 'enterprise' }],
  ['a language nobody wrote', { language: 'xx' }],
])('%s is refused', async (_what, changes) => {
  await expect(useTools(app, await member())('update_profile', changes)).rejects.toMatchObject({
    code: 'validation_failed',
  });
});

test('for a key, the profile is that of the account: it has a name, and neither language nor picture', async () => {
  const key = await newBareCaller(app, 'Bakery');
  const call = useTools(app, key);
  expect(await call('get_profile')).toMatchObject({
    id: key.accountId,
    name: 'Bakery',
    email: null,
    role: null,
    auth_provider: 'api_key',
  });
  expect(await call('update_profile', { name: 'Bakery Sol' })).toMatchObject({ name: 'Bakery Sol' });
  await expect(call('update_profile', { language: 'es' })).rejects.toMatchObject({
    key: 'forbidden.no_person',
  });
  const reader: Caller = { ...key, scopes: ['account:read'] };
  await expect(useTools(app, reader)('update_profile', { name: 'Mine' })).rejects.toMatchObject({
    key: 'forbidden.admins',
  });
});

test('the local owner has every plan', async () => {
  const owner = localCaller((await app.accounts.local()).id);
  expect(owner.scopes).toEqual(SCOPES);
  expect(await useTools(app, owner)('get_profile')).toMatchObject({
    plan: 'enterprise',
    role: 'owner',
    auth_provider: 'local',
    subscription: { display_name: 'Enterprise', status: 'active' },
  });
});
