import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { claimDue, deleteOld } from '../../src/webhooks/delivery-repo.ts';
import { buyerOf, openMarket } from '../billing/setup.ts';
import { hasOpenssl } from '../platform/guarded-fetch/tls-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { ask, endOf, openNode, stopNodes } from '../videos/render/workshop.ts';
import { openAccount, openWebhooks, type Receiver, startReceiver, verified } from './workshop.ts';

describe.runIf(hasOpenssl())('sending events', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let caller: Caller;
  let webhooks: Awaited<ReturnType<typeof openWebhooks>>;

  beforeAll(async () => {
    database = await openTestDatabase();
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    await database.reset();
    caller = await openAccount(database);
    receiver.reset();
    webhooks = await openWebhooks(database, { post: receiver.settings, delays: [0, 3_600] });
  });
  afterEach(async () => {
    await stopNodes();
    await webhooks.close();
  });
  afterAll(async () => {
    await receiver.close();
    await database.close();
  });

  const subscribe = (events: Parameters<typeof webhooks.create>[1]['events'], by = caller) =>
    webhooks.create(by, { url: receiver.urlOf('a'), events, description: '', enabled: true });
  const emit = ({ accountId } = caller) =>
    database.sql`select emit_event(${accountId}, 'branch.merged', '{"a":1}')`;
  const log = async (id: string) => (await webhooks.deliveries(caller.accountId, id, { limit: 200 })).items;

  test('accounts take turns, and one with four attempts in progress waits', async () => {
    await webhooks.close();
    const other = await openAccount(database, 'acc_other');
    for (const one of [caller, other]) await subscribe(['branch.merged'], one);
    for (let nth = 0; nth < 20; nth++) await emit();
    await emit(other);
    const accounts = async (busy: readonly string[]) =>
      (await claimDue(database.sql, { limit: 3, busy, places: 4, seconds: 30 }))
        .map((one) => one.account_id)
        .sort();
    expect(await accounts([])).toEqual(['acc_other', 'acc_test', 'acc_test']);
    expect(await accounts(['acc_test', 'acc_test', 'acc_test'])).toEqual(['acc_test']);
    expect(await accounts(Array(4).fill('acc_test'))).toEqual([]);
  });

  test('one slow receiver does not hold up those of other accounts', async () => {
    const other = await openAccount(database, 'acc_other');
    await subscribe(['branch.merged']);
    await webhooks.create(other, {
      ...{ url: receiver.urlOf('other'), description: '', enabled: true },
      events: ['branch.merged'],
    });
    receiver.answer = (res, { path }) => void (path === '/other' && res.writeHead(204).end());
    for (let nth = 0; nth < 50; nth++) await emit();
    await expect.poll(() => receiver.heard.length).toBe(4);
    await emit(other);
    await expect
      .poll(() => receiver.heard.map(({ path }) => path))
      .toEqual(['/a', '/a', '/a', '/a', '/other']);
  });

  test('a receiver that answers 410 is not asked again: its webhook is stopped, and what waits is given up', async () => {
    const { id } = await subscribe(['branch.merged']);
    receiver.answer = (res) => void res.writeHead(503).end();
    await emit();
    await expect.poll(() => log(id)).toMatchObject([{ attempts: 2, status: 'waiting' }]);
    receiver.answer = (res) => void res.writeHead(410).end();
    await emit();
    await expect
      .poll(() => webhooks.get(caller.accountId, id))
      .toMatchObject({ enabled: false, status: 'stopped' });
    await expect
      .poll(() => log(id))
      .toMatchObject([
        { attempts: 1, status: 'failed', response_status: 410 },
        { attempts: 2, status: 'failed', reason: 'disabled' },
      ]);
    await emit();
    expect(await log(id)).toHaveLength(2);
    expect(
      await webhooks.audit.list(caller.accountId, { action: 'webhook.stopped', limit: 10 }),
    ).toMatchObject({
      items: [{ actor: 'stallhand', target: id, detail: { status: 410 } }],
    });
  });

  test('a webhook that did nothing but fail for five days is stopped; one event that arrives clears it', async () => {
    const { id } = await subscribe(['branch.merged']);
    const failedFor = (days: number) =>
      database.sql`update webhooks set failing_since = now() - make_interval(days => ${days})`;
    receiver.answer = (res) => void res.writeHead(500).end();
    await failedFor(4);
    await emit();
    await expect.poll(() => log(id)).toMatchObject([{ attempts: 2 }]);
    expect(await webhooks.get(caller.accountId, id)).toMatchObject({ status: 'failing' });
    receiver.reset();
    await emit();
    await expect.poll(() => webhooks.get(caller.accountId, id)).toMatchObject({ failing_since: null });
    await failedFor(6);
    receiver.answer = (res) => void res.writeHead(500).end();
    await emit();
    await expect.poll(() => webhooks.get(caller.accountId, id)).toMatchObject({ status: 'stopped' });
  });

  test('an attempt that was overtaken by another process changes nothing when it fails late', async () => {
    const { id } = await subscribe(['branch.merged']);
    let release = () => {};
    receiver.answer = (res) => {
      release = () => void res.writeHead(500).end();
    };
    await emit();
    await expect.poll(() => receiver.heard.length).toBe(1);
    await database.sql`update webhook_deliveries set next_at = now()`;
    receiver.answer = (res) => void res.writeHead(204).end();
    await webhooks.work();
    await expect.poll(() => log(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    release();
    await webhooks.close();
    expect(await log(id)).toMatchObject([{ status: 'delivered', attempts: 2, response_status: 204 }]);
  });

  test('what is older than 30 days and no longer waits leaves the log', async () => {
    const { id } = await subscribe(['branch.merged']);
    await emit();
    await expect.poll(() => log(id)).toMatchObject([{ status: 'delivered' }]);
    await deleteOld(database.sql, 1_000);
    expect(await log(id)).toHaveLength(1);
    await database.sql`update webhook_deliveries set created_at = now() - interval '31 days'`;
    await deleteOld(database.sql, 1_000);
    expect(await log(id)).toEqual([]);
  });

  test('the end of a video reaches the webhooks of the account, and its own one', async () => {
    const { secret } = await subscribe(['video.completed', 'video.failed']);
    const { videos } = await openNode(database);
    const { id } = await ask(videos, { duration: 1, webhook_url: receiver.urlOf('own') });
    await endOf(videos, id);
    await expect.poll(() => receiver.heard.map(({ path }) => path).sort()).toEqual(['/a', '/own']);
    for (const { path, ...one } of receiver.heard) {
      const signer = path === '/own' ? await webhooks.secrets.ofAccount(caller.accountId) : secret;
      expect(verified(signer, one)).toMatchObject({
        type: 'video.completed',
        data: { id, status: 'completed' },
      });
    }
  });

  test('a subscription that changes is an event, one that stays is none', async () => {
    const market = await openMarket(database.sql);
    const buyer = { ...caller, accountId: market.accountId };
    const { secret } = await subscribe(['billing.subscription.changed'], buyer);
    const { billing } = market.node;
    const plan = { plan: 'pro', interval: 'month' } as const;
    const choice = { app: 'hooks' as const, ...plan };
    const { id } = await billing.checkout(buyerOf(market.accountId), choice, { successUrl: '/billing' });
    market.peer.pay(id);
    await billing.reconcile();
    await billing.reconcile();
    await expect.poll(() => receiver.heard.length).toBe(1);
    expect(receiver.heard.map((one) => verified(secret, one))).toMatchObject([
      {
        type: 'billing.subscription.changed',
        data: { app: 'hooks', ...plan, status: 'active', previous: null },
      },
    ]);
    await market.close();
  });
});
