import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { SyncCustomer } from './customer-sync.ts';
import type { WaitingEvent } from './event-repo.ts';
import * as eventRepo from './event-repo.ts';

import type { PaymentService } from './payment-service.ts';

type InboxDeps = {
  readonly sql: Sql;
  readonly payments: PaymentService;
  readonly sync: SyncCustomer;
  readonly log: Log;
  readonly now: () => number;
};

export type Inbox = {
  /** Works off what is due until nothing is; a call while one runs adds another round. */
  work(): Promise<void>;
};

const CLAIM_MS = 2 * 60_000;
const CLAIMED_AT_ONCE = 50;
const CONCURRENCY = 4;
const MAX_ATTEMPTS = 8;
// Eight tries take more than a day: an outage or a wrong key is made good by then.
const FIRST_WAIT_MS = 5_000;
const LONGER = 4;

/** Events wait in the database, so those of a process that crashed are worked off by another, or by the next. */
export function createInbox({ sql, payments, sync, log, now }: InboxDeps): Inbox {
  let running: Promise<void> | undefined;
  let again = false;

  return {
    work() {
      again = true;
      running ??= rounds().finally(() => {
        running = undefined;
      });
      return running;
    },
  };

  async function rounds(): Promise<void> {
    while (again) {
      again = false;
      const claimed = await eventRepo.claim(
        sql,
        new Date(now()),
        new Date(now() + CLAIM_MS),
        CLAIMED_AT_ONCE,
      );
      if (claimed.length === 0) continue;
      again = true;
      await workOff(claimed);
    }
  }

  async function workOff(claimed: readonly WaitingEvent[]): Promise<void> {
    const sold = claimed.filter(({ type }) => /^(product|price)\./.test(type));
    if (sold.length > 0) {
      await eventRepo.dropCatalogues(sql);
      await finish(sold);
    }
    // One fetch serves all the events of a customer that were received before it.
    const rest = claimed.filter((event) => !sold.includes(event));
    const groups = [
      ...Map.groupBy(rest, ({ customerId, chargeId }) => customerId ?? chargeId ?? '').values(),
    ];
    for (let first = 0; first < groups.length; first += CONCURRENCY) {
      await Promise.all(groups.slice(first, first + CONCURRENCY).map(workGroup));
    }
  }

  async function workGroup(group: readonly WaitingEvent[]): Promise<void> {
    try {
      const customerId = await customerOf(group);
      if (customerId) await sync(customerId);
      await finish(group);
    } catch (error) {
      log.warn({ err: error, events: group.map(({ id }) => id) }, 'events of Stripe are tried again later');
      const about = aboutOf(error);
      for (const event of group) await delay(event, about);
    }
  }

  async function customerOf([event]: readonly WaitingEvent[]): Promise<string | undefined> {
    if (event?.customerId) return event.customerId;
    return event?.chargeId ? payments.customerOfCharge(event.chargeId) : undefined;
  }

  async function delay({ id, attempts }: WaitingEvent, about: string): Promise<void> {
    if (attempts >= MAX_ATTEMPTS) {
      log.error({ event: id }, 'an event of Stripe was given up');
      return eventRepo.bury(sql, id, new Date(now()), about);
    }
    await eventRepo.postpone(sql, id, new Date(now() + FIRST_WAIT_MS * LONGER ** attempts), about);
  }

  function finish(done: readonly WaitingEvent[]): Promise<void> {
    return eventRepo.finish(
      sql,
      done.map(({ id }) => id),
      new Date(now()),
    );
  }
}

function aboutOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'unknown';
}
