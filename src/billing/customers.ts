import { Fault } from '../errors.ts';
import { contentTag } from '../platform/content-tag.ts';
import type { Sql } from '../platform/database/database.ts';
import * as billingRepo from './billing-repo.ts';
import type { Contacts } from './contacts.ts';
import type { SyncCustomer } from './customer-sync.ts';
import type { PaymentService } from './payment-service.ts';

export type Customers = {
  /** The account's Stripe customer, created before its first purchase, once even under concurrent calls. */
  ensure(accountId: string): Promise<string>;
  /** The same, after syncing recent purchases, with the account's email and name of now. */
  upToDate(accountId: string): Promise<string>;
  find(accountId: string): Promise<string | null>;
};

export function createCustomers({
  sql,
  payments,
  sync,
  contacts,
}: {
  sql: Sql;
  payments: PaymentService;
  sync: SyncCustomer;
  contacts: Contacts;
}): Customers {
  const making = new Map<string, Promise<string>>();

  async function make(accountId: string): Promise<string> {
    const { id, generation } = await billingRepo.customer(sql, accountId);
    if (id !== null) return id;
    const contact = await contacts.of(accountId);
    // Other processes may ask at the same time; the key makes it one customer for all of them.
    const key = `customer-${accountId}-${generation}-${contentTag(contact)}`;
    const made = await payments.createCustomer(accountId, contact, key);
    if (await billingRepo.linkCustomer(sql, accountId, generation, made, contact)) return made;
    const linked = await billingRepo.findCustomer(sql, accountId);
    if (linked === null) throw new Fault('upstream_failed.stripe');
    return linked;
  }

  function ensure(accountId: string): Promise<string> {
    const underway = making.get(accountId);
    if (underway !== undefined) return underway;
    const made = make(accountId).finally(() => making.delete(accountId));
    making.set(accountId, made);
    return made;
  }

  return {
    ensure,

    async upToDate(accountId) {
      await sync(await ensure(accountId));
      // Another one when it turned out to be deleted over there.
      const customerId = await ensure(accountId);
      await contacts.refresh(accountId);
      return customerId;
    },

    find: (accountId) => billingRepo.findCustomer(sql, accountId),
  };
}
