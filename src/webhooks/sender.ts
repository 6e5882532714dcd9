import { Webhook } from 'standardwebhooks';
import type { Sql } from '../platform/database/database.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import type { GuardedPost } from '../platform/guarded-fetch/guarded-post.ts';
import type { Log } from '../platform/log.ts';
import type { ClaimedDelivery, Outcome } from './delivery-repo.ts';
import * as deliveryRepo from './delivery-repo.ts';
import type { WebhookSecrets } from './secrets.ts';
import { PING } from './webhook.ts';

/** Presents the stored data of an event to its receiver. */
export type PresentEvent = (
  delivery: Pick<ClaimedDelivery, 'type' | 'data' | 'target'>,
) => unknown | Promise<unknown>;

export type SenderSettings = {
  /** Delays in seconds after each failed attempt but the last. */
  readonly delays: readonly number[];
  /** Longer than any attempt: a claim this old belongs to a process that is gone. */
  readonly claimSeconds: number;
  /** Attempts of this process at the same time. */
  readonly concurrency: number;
  /** How long a webhook may do nothing but fail. */
  readonly stopAfterSeconds: number;
};

type SenderDeps = Partial<SenderSettings> & {
  readonly sql: Sql;
  readonly secrets: WebhookSecrets;
  readonly post: GuardedPost;
  /** For addresses that came with one request, which a model may have named: never on this machine. */
  readonly postOnce: GuardedPost;
  readonly log: Log;
  /** Milliseconds since 1970: receivers reject a message whose time is wrong. Default: the machine's clock. */
  readonly now?: () => number;
  /** Disables a webhook whose receiver is gone. */
  readonly stop: (
    webhook: Pick<ClaimedDelivery, 'account_id' | 'webhook_id'>,
    outcome: Outcome,
  ) => Promise<void>;
};

export type Sender = ReturnType<typeof createSender>;

const [MINUTE, HOUR] = [60, 60 * 60];
const DAY = 24 * HOUR;

/** 13 attempts in about 3 days. */
const DELAYS = [
  ...[5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * HOUR),
];
const DEFAULTS: SenderSettings = {
  delays: DELAYS,
  claimSeconds: 30,
  concurrency: 32,
  stopAfterSeconds: 5 * DAY,
};
/** Of an account in one process: a receiver that is slow leaves places to the others. */
const PLACES_PER_ACCOUNT = 4;
/** Later attempts are found by the periodic look. */
const MAX_TIMER_SECONDS = MINUTE;
const GONE = 410;

/**
 * Delivers the events of the outbox. In: deliveries that are due, written by `emit_event` with the change they are about.
 * Out: a POST signed as in Standard Webhooks. Invariant: an event is attempted until it arrives or the last attempt has
 * failed, whatever happens to this process; accounts take turns.
 */
export function createSender({
  sql,
  secrets,
  post,
  postOnce,
  log,
  stop,
  now = Date.now,
  ...settings
}: SenderDeps) {
  const { delays, claimSeconds, concurrency, stopAfterSeconds } = { ...DEFAULTS, ...settings };
  const stopped = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  /** The account of each attempt in progress. */
  const running = new Map<Promise<void>, string>();
  let present: PresentEvent | undefined;
  let claiming: Promise<void> | undefined;

  return {
    claimSeconds,

    /** Starts delivery in this process. */
    start(presentEvent: PresentEvent): void {
      present = presentEvent;
      void work();
    },

    work,

    /** Attempts a claimed delivery now. */
    attempt: (delivery: ClaimedDelivery) => deliver(delivery, present ?? (({ data }) => data)),

    async close(): Promise<void> {
      stopped.abort();
      for (const timer of timers) clearTimeout(timer);
      await claiming?.catch(() => {});
      await Promise.allSettled([...running.keys()]);
    },
  };

  /** Delivers what is due, as far as there is room; call it when something may be. */
  function work(): Promise<void> {
    if (!present || stopped.signal.aborted) return Promise.resolve();
    const presentEvent = present;
    // What became due during a claim is found by one more.
    const next = (claiming ?? Promise.resolve()).then(() => claim(presentEvent));
    claiming = next.catch((error: unknown) => {
      if (!stopped.signal.aborted) log.warn({ err: error }, 'due webhooks could not be looked up');
    });
    return claiming;
  }

  async function claim(presentEvent: PresentEvent): Promise<void> {
    const free = concurrency - running.size;
    if (free <= 0 || stopped.signal.aborted) return;
    const busy = [...running.values()];
    const due = await deliveryRepo.claimDue(sql, {
      ...{ limit: free, busy, places: PLACES_PER_ACCOUNT, seconds: claimSeconds },
    });
    for (const delivery of due) {
      const attempt = deliver(delivery, presentEvent)
        .catch((error: unknown) => {
          // Its claim ends, so it is attempted again.
          if (!stopped.signal.aborted) log.error({ err: error }, 'a webhook delivery was not recorded');
        })
        .finally(() => {
          running.delete(attempt);
          void work();
        });
      running.set(attempt, delivery.account_id);
    }
  }

  async function deliver(delivery: ClaimedDelivery, presentEvent: PresentEvent): Promise<void> {
    const outcome = await send(delivery, presentEvent);
    // The claim ends, and another process goes on.
    if (stopped.signal.aborted) return;
    await (hasArrived(outcome)
      ? deliveryRepo.recordArrival(sql, delivery, outcome)
      : fail(delivery, outcome));
  }

  async function fail(delivery: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const isGone = 'status' in outcome && outcome.status === GONE;
    const isTest = delivery.type === PING;
    const isLast = isGone || isTest || isDisabled(delivery);
    const seconds = isLast ? undefined : delays[delivery.attempts - 1];
    log.info({ delivery: delivery.id, outcome, attempts: delivery.attempts }, 'a webhook did not arrive');
    const failure = { outcome, seconds, counts: !isTest };
    const failingFor = await deliveryRepo.recordFailure(sql, delivery, failure);
    if (failingFor !== undefined && (isGone || failingFor > stopAfterSeconds)) await stop(delivery, outcome);
    if (seconds !== undefined && seconds <= MAX_TIMER_SECONDS) again(seconds);
  }

  async function send(delivery: ClaimedDelivery, presentEvent: PresentEvent): Promise<Outcome> {
    const url = delivery.target?.url ?? delivery.url;
    if (url === null || isDisabled(delivery)) return { reason: 'disabled' };
    try {
      const message = await messageOf(delivery, await presentEvent(delivery));
      const send = delivery.target ? postOnce : post;
      return { status: await send(url, message, stopped.signal) };
    } catch (error) {
      if (error instanceof AssetBlocked) return { reason: error.reason };
      if (!stopped.signal.aborted) log.error({ err: error, delivery: delivery.id }, 'a webhook failed');
      return { reason: 'failed' };
    }
  }

  async function messageOf(delivery: ClaimedDelivery, data: unknown) {
    const { message_id: id, type, happened_at } = delivery;
    const body = JSON.stringify({ type, timestamp: happened_at.toISOString(), data });
    const at = new Date(now());
    const signatures = (await secrets.of(delivery)).map((secret) => new Webhook(secret).sign(id, at, body));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Stallhand (webhooks)',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
    return { body, headers };
  }

  function again(seconds: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, seconds * 1000).unref();
    timers.add(timer);
  }
}

function hasArrived(outcome: Outcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

/** Disabled since the event; a test goes out nevertheless. */
function isDisabled({ webhook_id, enabled, type }: ClaimedDelivery): boolean {
  return webhook_id !== null && enabled !== true && type !== PING;
}
