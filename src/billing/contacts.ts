import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { KnownContact } from './billing-repo.ts';
import * as billingRepo from './billing-repo.ts';
import type { Contact, PaymentService } from './payment-service.ts';

/** Whom to write to about an account, as the accounts have it now. */
export type ContactsOf = (accountIds: readonly string[]) => Promise<ReadonlyMap<string, Contact>>;

type ContactsDeps = {
  readonly sql: Sql;
  readonly payments: PaymentService;
  readonly contactsOf: ContactsOf;
  readonly log: Log;
};

const BATCH_SIZE = 500;
const NONE: Contact = { email: null, name: '', language: null };

/**
 * Keeps email and name of customers in step with their accounts. Only what changed here is sent: an address or a company
 * name that the customer enters at checkout or in the portal stays.
 */
export function createContacts({ sql, payments, contactsOf, log }: ContactsDeps) {
  async function of(accountId: string): Promise<Contact> {
    return (await contactsOf([accountId])).get(accountId) ?? NONE;
  }

  async function update(known: KnownContact, contact: Contact): Promise<void> {
    const changes = changesOf(known.contact ?? NONE, contact);
    if (Object.keys(changes).length === 0) return;
    await payments.updateCustomer(known.customerId, changes);
    await billingRepo.saveContact(sql, known, contact);
  }

  function warn({ accountId }: KnownContact, error: unknown): void {
    log.warn({ err: error, account: accountId }, 'a customer could not be brought up to date at Stripe');
  }

  return {
    of,

    /** @throws Fault upstream_failed */
    async refresh(accountId: string): Promise<void> {
      const known = await billingRepo.findContact(sql, accountId);
      if (known) await update(known, await of(accountId));
    },

    /** The same for every account that has a customer; one that Stripe refuses does not keep the others waiting. */
    async refreshAll(): Promise<void> {
      for (let after = ''; ; ) {
        const page = await billingRepo.listContacts(sql, after, BATCH_SIZE);
        const contacts = await contactsOf(page.map(({ accountId }) => accountId));
        for (const known of page) {
          const contact = contacts.get(known.accountId);
          if (contact) await update(known, contact).catch((error: unknown) => warn(known, error));
        }
        const last = page.at(-1);
        if (!last || page.length < BATCH_SIZE) return;
        after = last.accountId;
      }
    },
  };
}

export type Contacts = ReturnType<typeof createContacts>;

/** An address that is gone here stays there: without one, no one would get the invoices. */
function changesOf(before: Contact, after: Contact): Partial<Contact> {
  return {
    ...(after.email !== null && after.email !== before.email && { email: after.email }),
    ...(after.name !== '' && after.name !== before.name && { name: after.name }),
    ...(after.language !== null && after.language !== before.language && { language: after.language }),
  };
}
