import type { Entitlements } from '../billing/entitlements.ts';
import { isPaid } from '../plans.ts';
import { createRetention, type Retained } from '../retention/retention.ts';
import { type Base, defineService } from './service.ts';

type RetentionDeps = Base & {
  readonly entitlements: Pick<Entitlements, 'of'>;
  readonly retained: readonly Retained[];
};

/** Deletes what accounts have kept longer than its term. */
export function wireRetention({ sql, queue, log, config, now, entitlements, retained }: RetentionDeps) {
  const retention = createRetention({
    ...{ sql, queue, log, retained, now },
    days: config.retention,
    async planOf(accountId) {
      const { hooks, sync } = await entitlements.of(accountId);
      return isPaid({ hooks: hooks.plan, sync: sync.plan }) ? 'paid' : 'free';
    },
  });
  return defineService({
    api: { retention },
    jobs: { hourly: { retention: retention.work } },
    close: retention.close,
  });
}
