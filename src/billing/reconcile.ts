import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import * as eventRepo from './event-repo.ts';

import type { PaymentService } from './payment-service.ts';

type ReconcileDeps = {
  readonly sql: Sql;
  readonly payments: PaymentService;
  readonly log: Log;
  readonly now: () => number;
};

/** Looks once an hour, whichever node comes first; answers how many events had been missed. */
export type Reconcile = () => Promise<number>;

const HOUR_MS = 60 * 60_000;
// How long Stripe remembers its events.
const MEMORY_MS = 30 * 24 * HOUR_MS;
const MAX_EVENTS = 10_000;
const EVENT_RETENTION_MS = 90 * 24 * HOUR_MS;

/** Goes through the payment service's own list of events: those never delivered join the inbox, and are worked off there. */
export function createReconcile({ sql, payments, log, now }: ReconcileDeps): Reconcile {
  return async () => {
    const at = now();
    // A little less than the hour of the timer, which may come early by a moment.
    const since = await eventRepo.takeTurn(
      sql,
      new Date(at),
      new Date(at - HOUR_MS + 60_000),
      new Date(at - MEMORY_MS),
    );
    if (!since) return 0;
    try {
      // An hour earlier than the last look: events may come into the list late.
      const { seen, missed } = await look(new Date(since.getTime() - HOUR_MS));
      if (missed > 0) log.warn({ seen, missed }, 'events of Stripe were missed, and are made up for');
      await eventRepo.sweep(sql, new Date(at - EVENT_RETENTION_MS));
      return missed;
    } catch (error) {
      await eventRepo.returnTurn(sql, since);
      throw error;
    }
  };

  async function look(from: Date): Promise<{ seen: number; missed: number }> {
    let [seen, missed] = [0, 0];
    for await (const event of payments.eventsSince(from)) {
      if (seen >= MAX_EVENTS) break;
      seen++;
      if (await eventRepo.add(sql, event)) missed++;
    }
    return { seen, missed };
  }
}
