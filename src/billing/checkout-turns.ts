import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../errors.ts';
import type { BilledApp } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import * as billingRepo from './billing-repo.ts';
import type { PaymentService } from './payment-service.ts';

type Checkout = { readonly id: string; readonly url: string };
type Buyer = { readonly accountId: string };

export type CheckoutTurns = ReturnType<typeof createCheckoutTurns>;

const POLL_MS = 100;
const MAX_POLLS = 200;

/**
 * One open checkout per account and app: two could both be paid. Requests of all nodes open theirs one after another, and
 * each closes the one before it, which the database names; the payment service's own list may not show it yet.
 */
export function createCheckoutTurns({ sql, payments }: { sql: Sql; payments: PaymentService }) {
  async function waitForTurn({ accountId }: Buyer, app: BilledApp, turn: string) {
    for (let poll = 0; poll < MAX_POLLS; poll++) {
      const taken = await billingRepo.takeTurn(sql, accountId, app, turn);
      if (taken) return taken;
      await pause(POLL_MS);
    }
    throw new Fault('conflict.checkout', {}, { retryAfterSeconds: 2 });
  }

  /** The old one closes first: if it was paid just now, `open` sees the subscription. */
  async function replace(before: string | null, open: () => Promise<Checkout>): Promise<Checkout> {
    if (before !== null) await payments.closeCheckout(before);
    return open();
  }

  return {
    /** Opens a checkout when no other request does. @throws Fault conflict.checkout, and what `open` throws */
    async open(buyer: Buyer, app: BilledApp, open: () => Promise<Checkout>): Promise<Checkout> {
      const { accountId } = buyer;
      const turn = newId('turn');
      const { before } = await waitForTurn(buyer, app, turn);
      const checkout = await replace(before, open).catch(async (error: unknown) => {
        await billingRepo.endTurn(sql, accountId, app, { turn, sessionId: null });
        throw error;
      });
      if (await billingRepo.endTurn(sql, accountId, app, { turn, sessionId: checkout.id })) return checkout;
      // This took so long that another request went on without us.
      await payments.closeCheckout(checkout.id);
      throw new Fault('conflict.checkout', {}, { retryAfterSeconds: 2 });
    },
  };
}
