import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { plainReader } from '../../src/language.ts';
import { asFault, problem } from '../../tools/contract/problem.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp({ ANONYMOUS_HOOKS: '2' });
});
afterAll(() => app.close());

const faultOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

test('shows what is held and what was delivered', async () => {
  const caller = await newBareCaller(app);
  const { id } = await app.quota.reserve(caller.accountId, { units: 5 });
  const call = useTools(app, caller);
  expect(await call('get_usage')).toMatchObject({ hooks_used: 5, remaining: 45, by_day: [] });
  await app.quota.settle(caller.accountId, id, 4);
  const usage = await call('get_usage');
  expect(Object.keys(usage)).toEqual([
    'month',
    'hooks_used',
    'hooks_limit',
    'remaining',
    'percent_used',
    'credits',
    'resets_at',
    'template_units',
    'by_day',
  ]);
  expect(usage).toMatchObject({ hooks_used: 4, hooks_limit: 50, remaining: 46, percent_used: 8, credits: 0 });
});

test('a plan that was just bought counts at once', async () => {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  await app.quota.reserve(caller.accountId, { units: 50 });
  expect(await call('get_usage')).toMatchObject({ hooks_limit: 50, remaining: 0, percent_used: 100 });
  await app.database.sql`
    insert into subscriptions (id, account_id, app, plan, status, price_id, interval, amount, currency,
      current_period_end, cancel_at_period_end)
    values ('sub_1', ${caller.accountId}, 'hooks', 'pro', 'active', 'price_1', 'month', 900, 'usd',
      now() + interval '1 month', false)`;
  app.entitlements.invalidate(caller.accountId);
  expect(await call('get_usage')).toMatchObject({ hooks_limit: 1000, remaining: 950, percent_used: 5 });
});

test('the local owner has no limit', async () => {
  const { id } = await app.accounts.local();
  const call = useTools(app, { accountId: id, actor: 'local', scopes: SCOPES, via: 'local' });
  expect(await call('get_usage')).toMatchObject({ hooks_limit: -1, remaining: -1, percent_used: 0 });
});

test('an exhausted quota is told in Spanish with the words of the specification', async () => {
  const { accountId } = await newBareCaller(app);
  await app.quota.reserve(accountId, { units: 50 });
  const fault = asFault(await faultOf(app.quota.reserve(accountId, { units: 3 })));
  const answer = problem(fault, plainReader('es'), 'req_1');
  expect(answer).toMatchObject({
    status: 402,
    code: 'quota_exhausted',
    hooks_used: 50,
    hooks_limit: 50,
    upgrade_url: '/billing',
  });
  expect(answer.detail).toMatch(/^No te quedan regeneraciones disponibles\. Has usado 50 de 50 este mes\./);
});

test('visitors get what the operator allows', async () => {
  expect(await app.visitorQuota.reserve('visitor', { units: 3, network: 'network' })).toMatchObject({
    granted: 2,
    requested: 3,
  });
  expect(await faultOf(app.visitorQuota.reserve('visitor', { units: 3, network: 'network' }))).toMatchObject({
    code: 'anonymous_limit',
    params: { limit: 2 },
  });
});
