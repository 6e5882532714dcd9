import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { buyerOf, deliverAll, type Node, openMarket } from './setup.ts';

let database: TestDatabase;
let peer: StripePeer;
let node: Node;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  const market = await openMarket(database.sql);
  ({ peer, node, accountId } = market);
  return market.close;
});
afterAll(() => database.close());

/** Buys 100 credits; answers the payment. */
async function buy(): Promise<string> {
  const order = await node.billing.buyCredits(
    buyerOf(accountId),
    { packageId: 'hooks_credits_100' },
    { successUrl: '/' },
  );
  peer.pay(order.id);
  await deliverAll(node, peer);
  return peer.holds.paymentIntents()[0]?.id ?? '';
}

async function creditsAfter(happening: () => unknown): Promise<number> {
  await happening();
  await deliverAll(node, peer);
  await deliverAll(node, peer);
  return (await node.quota.usage(accountId)).credits;
}

/** Uses the plan's 50 hooks, and so many credits. */
async function spend(credits: number): Promise<void> {
  const { id, granted } = await node.quota.reserve(accountId, { units: 50 + credits });
  await node.quota.settle(accountId, id, granted);
}

test('a dispute takes the credits, and gives them back when it is won', async () => {
  const payment = await buy();
  let dispute = '';
  expect([
    await creditsAfter(() => {
      dispute = peer.dashboard.dispute(payment);
    }),
    await creditsAfter(() => peer.dashboard.closeDispute(dispute, 'won')),
  ]).toEqual([0, 100]);
});

test('a lost dispute keeps them', async () => {
  const payment = await buy();
  expect(await creditsAfter(() => peer.dashboard.closeDispute(peer.dashboard.dispute(payment), 'lost'))).toBe(
    0,
  );
});

test('of credits spent before the dispute none come back when it is won', async () => {
  const payment = await buy();
  await spend(60);
  let dispute = '';
  expect([
    await creditsAfter(() => {
      dispute = peer.dashboard.dispute(payment);
    }),
    await creditsAfter(() => peer.dashboard.closeDispute(dispute, 'won')),
  ]).toEqual([0, 40]);
});

test('a quarter refunded stays refunded when the dispute that followed is won', async () => {
  const payment = await buy();
  let dispute = '';
  expect([
    await creditsAfter(() => peer.dashboard.refund(payment, 50)),
    await creditsAfter(() => {
      dispute = peer.dashboard.dispute(payment, 150);
    }),
    await creditsAfter(() => peer.dashboard.closeDispute(dispute, 'won')),
  ]).toEqual([75, 0, 75]);
});

test('a dispute about half of the money takes half of the credits', async () => {
  const payment = await buy();
  expect(await creditsAfter(() => peer.dashboard.dispute(payment, 100))).toBe(50);
});
