import { Webhook } from 'standardwebhooks';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { AssetBlocked } from '../../platform/guarded-fetch/asset-blocked.ts';
import type { GuardedPost } from '../../platform/guarded-fetch/guarded-post.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import { toVideo, type Video } from '../video.ts';
import type { VideoRow, WebhookTarget } from '../video-repo.ts';
import {
  claimDueWebhooks,
  type Delivery,
  deleteOldWebhooks,
  eventOf,
  insertWebhook,
  type Outcome,
  recordAttempt,
} from './webhook-repo.ts';

/** Presents the video in its owner's language, for the body. */
export type PresentVideo = (video: Video, target: WebhookTarget) => object | Promise<object>;

type WebhooksDeps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  readonly post: GuardedPost;
  readonly log: Log;
  /** Delays in seconds after each failed attempt but the last. */
  readonly pauses?: readonly number[];
};

const RETRY_DELAYS_SECONDS = [5, 30, 2 * 60, 10 * 60];
const DELIVERY_BATCH = 10;
/** Longer than any attempt: a claim this old belongs to a process that is gone. */
const CLAIM_SECONDS = 30;

/**
 * Delivers the webhooks of videos. In: an ended video with a webhook. Out: a POST signed as in Standard Webhooks.
 * Invariant: an event is stored in the transaction that ends the video, and is attempted until it arrives or five
 * attempts failed.
 */
export function createVideoWebhooks({ sql, secret, post, log, pauses = RETRY_DELAYS_SECONDS }: WebhooksDeps) {
  const stopped = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let presentVideo: PresentVideo | undefined;
  let working: Promise<void> | undefined;

  return {
    secretOf,

    /** Stores the event, in the transaction that ends the video. */
    async note(tx: Tx, row: VideoRow): Promise<void> {
      const type = eventOf(row);
      if (!row.webhook || !type) return;
      const news = { id: newId('msg'), account_id: row.account_id, type, target: row.webhook };
      await insertWebhook(tx, news, toVideo(row));
    },

    /** Starts delivery. */
    start(present: PresentVideo): void {
      presentVideo = present;
      void kick();
    },

    /** Delivers due events. */
    work: kick,

    sweep: () => deleteOldWebhooks(sql),

    async close(): Promise<void> {
      stopped.abort();
      for (const timer of timers) clearTimeout(timer);
      await working?.catch(() => {});
    },
  };

  /** The account's secret in the format that receivers enter: whsec_ and base64. */
  async function secretOf(accountId: string): Promise<string> {
    const key = await secret.mac('webhooks of videos', accountId);
    return `whsec_${Buffer.from(key, 'hex').toString('base64')}`;
  }

  function kick(): Promise<void> {
    const present = presentVideo;
    if (!present || stopped.signal.aborted) return Promise.resolve();
    // Events that became due during a delivery are found by one more query.
    const next = (working ?? Promise.resolve()).then(() => deliverDue(present));
    working = next.catch((error: unknown) => {
      if (!stopped.signal.aborted) log.warn({ err: error }, 'webhooks of videos could not be looked up');
    });
    return working;
  }

  async function deliverDue(present: PresentVideo): Promise<void> {
    while (!stopped.signal.aborted) {
      const due = await claimDueWebhooks(sql, DELIVERY_BATCH, CLAIM_SECONDS);
      await Promise.all(due.map((delivery) => deliver(delivery, present)));
      if (due.length < DELIVERY_BATCH) return;
    }
  }

  async function deliver(delivery: Delivery, present: PresentVideo): Promise<void> {
    const { account_id: accountId, id, tries } = delivery;
    const outcome = await attempt(delivery, present);
    // Delivery continues with the next start.
    if (stopped.signal.aborted) return;
    const arrived = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
    const seconds = arrived ? undefined : pauses[tries - 1];
    if (!arrived) log.info({ webhook: id, outcome, tries }, 'a webhook of a video did not arrive');
    await recordAttempt(sql, { accountId, id }, { outcome, arrived, seconds });
    if (seconds !== undefined) again(seconds);
  }

  async function attempt(delivery: Delivery, present: PresentVideo): Promise<Outcome> {
    try {
      const message = await messageOf(delivery, present);
      return { status: await post(delivery.target.url, message, stopped.signal) };
    } catch (error) {
      if (error instanceof AssetBlocked) return { reason: error.reason };
      if (!stopped.signal.aborted)
        log.error({ err: error, webhook: delivery.id }, 'a webhook of a video failed');
      return { reason: 'failed' };
    }
  }

  async function messageOf(delivery: Delivery, present: PresentVideo) {
    const { id, account_id, type, video, target, created_at } = delivery;
    const data = await present(video, target);
    const body = JSON.stringify({ type, timestamp: created_at.toISOString(), data });
    const at = new Date();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Stallhand (webhooks)',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(await secretOf(account_id)).sign(id, at, body),
    };
    return { body, headers };
  }

  function again(seconds: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void kick();
    }, seconds * 1000).unref();
    timers.add(timer);
  }
}
