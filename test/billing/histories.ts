import fc from 'fast-check';
import { expect } from 'vitest';
import * as billingRepo from '../../src/billing/billing-repo.ts';
import type { Sql } from '../../src/platform/database/database.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import type { TestDatabase } from '../support/database.ts';
import { type Action, act, action, subscriptionsOf } from './actions.ts';
import { type Node, newAccount, openNode, openStripePeer, receive } from './setup.ts';

/** An action at Stripe. `told` picks events to deliver after it; `works` lets two nodes then process them. */
type Step = { readonly action: Action; readonly told: readonly number[]; readonly works: boolean };

/** `held` says of the first node's requests, in turn, whether Stripe's answer arrives only after everything else. */
type History = {
  readonly steps: readonly Step[];
  readonly shuffle: readonly number[];
  readonly held: readonly boolean[];
};

const history: fc.Arbitrary<History> = fc.record({
  steps: fc.array(
    fc.record({ action, told: fc.array(fc.nat(1000), { maxLength: 3 }), works: fc.boolean() }),
    { minLength: 1, maxLength: 7 },
  ),
  shuffle: fc.array(fc.nat(1000), { minLength: 20, maxLength: 20 }),
  held: fc.array(fc.boolean(), { minLength: 3, maxLength: 7 }),
});

/** A peer looks through all it holds at each request, so none lives through more. */
const HISTORIES_EACH = 30;

/** Plays `rounds` times 30 histories. */
export async function playHistories(database: TestDatabase, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await database.reset();
    const peer = await openStripePeer();
    const play = openHistories(database.sql, peer);
    await fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES_EACH, endOnFailure: true });
    expect(peer.violations).toEqual([]);
    await peer.close();
  }
}

/** Two nodes that work before one Stripe, and one where people act; answers to the first are held as the history says. */
function openHistories(sql: Sql, peer: StripePeer) {
  let held: readonly boolean[] = [];
  let asked = 0;
  let end = Promise.withResolvers<void>();
  const heldFetch: typeof fetch = async (...request) => {
    const answer = await peer.fetch(...request);
    if (held[asked++ % held.length]) await end.promise;
    return answer;
  };
  const now = () => Math.max(Date.now(), peer.clock.now() * 1000);
  const slow = openNode(sql, peer, { fetch: heldFetch, now });
  const quick = openNode(sql, peer, { now });
  const shop = openNode(sql, peer, { now });

  /** Plays a history, delivers whatever was not told, doubled and shuffled, and compares the copy with Stripe. */
  return async ({ steps, shuffle, ...given }: History): Promise<void> => {
    held = given.held;
    end = Promise.withResolvers();
    const start = peer.events.length;
    const accountId = await newAccount(sql);
    const working: Promise<void>[] = [];
    const workBoth = async () => {
      const before = asked;
      working.push(slow.billing.work());
      // Until the slow node has claimed something and asked, or found nothing to do.
      for (let turn = 0; turn < 3 && asked === before; turn++) await sql`select 1`;
      await quick.billing.work();
    };
    for (const { action, told, works } of steps) {
      await act(peer, shop, accountId, action);
      const events = peer.events.slice(start);
      for (const place of events.length > 0 ? told : [])
        await receive(shop.billing, peer, events[place % events.length]?.id ?? '');
      if (works) await workBoth();
    }
    const rest = [...peer.events.slice(start), ...peer.events.slice(start)]
      .map((event, index) => ({ event, weight: (shuffle[index % shuffle.length] ?? 0) * ((index % 7) + 1) }))
      .sort((a, b) => a.weight - b.weight);
    for (const [index, { event }] of rest.entries()) {
      await receive((index % 2 ? slow : quick).billing, peer, event.id);
      if (index % 7 === 6) await workBoth();
    }
    await quick.billing.work();
    end.resolve();
    await Promise.all(working);
    await Promise.all([slow.billing.work(), quick.billing.work()]);
    try {
      await compare(sql, peer, shop, accountId);
    } finally {
      // What the next history does with the clock is not to move this one's subscriptions.
      for (const { id } of subscriptionsOf(peer, await customerOf(sql, accountId)))
        peer.portal.cancel(id, { now: true });
    }
  };
}

async function customerOf(sql: Sql, accountId: string): Promise<string | null> {
  return billingRepo.findCustomer(sql, accountId);
}

async function compare(sql: Sql, peer: StripePeer, { quota }: Node, accountId: string): Promise<void> {
  const customer = await billingRepo.findCustomer(sql, accountId);
  const copies = (await billingRepo.subscriptions(sql, accountId)).map(
    ({ id, status, priceId, amount, currentPeriodEnd, cancelAtPeriodEnd }) => ({
      ...{ id, status, priceId, amount, cancelAtPeriodEnd },
      currentPeriodEnd: currentPeriodEnd.getTime() / 1000,
    }),
  );
  const originals = peer.holds
    .subscriptions()
    .filter((one) => one.customer === customer)
    .map(({ id, status, items, cancel_at_period_end, cancel_at }) => ({
      id,
      status,
      priceId: items.data[0]?.price.id,
      amount: items.data[0]?.price.unit_amount,
      cancelAtPeriodEnd: cancel_at_period_end || cancel_at !== null,
      currentPeriodEnd: items.data[0]?.current_period_end,
    }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(copies.sort(byId)).toEqual(originals.sort(byId));
  expect((await quota.usage(accountId)).credits).toBe(creditsAt(peer, customer));
}

/** Of every paid purchase, less the part whose money went back. */
function creditsAt(peer: StripePeer, customer: string | null): number {
  return peer.holds
    .sessions()
    .filter((one) => one.customer === customer && one.mode === 'payment' && one.payment_status === 'paid')
    .map((session) => {
      const credits = Number(session.metadata?.['credits']);
      const charge = peer.holds.charges().find((one) => one.payment_intent === session.payment_intent);
      if (!charge) return credits;
      const lost = peer.holds.disputes().some((one) => one.charge === charge.id && one.status !== 'won');
      return lost ? 0 : credits - Math.floor((credits * charge.amount_refunded) / charge.amount);
    })
    .reduce((sum, credits) => sum + credits, 0);
}
