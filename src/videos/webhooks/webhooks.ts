import { Webhook } from 'standardwebhooks';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { AssetRefused } from '../../platform/guarded-fetch/asset-refused.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import { asVideo } from '../as-video.ts';
import type { VideoRow, WebhookTarget } from '../store.ts';
import type { Video } from '../video.ts';
import type { GuardedPost } from './guarded-post.ts';
import { newsOf } from './news.ts';
import { createWebhookStore, type Delivery, type Outcome } from './webhook-store.ts';

/** The video as its owner reads it, for the body. */
export type PresentVideo = (video: Video, target: WebhookTarget) => object | Promise<object>;

type Parts = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  readonly post: GuardedPost;
  readonly log: Log;
  /** Seconds after each try that failed, but for the last. */
  readonly pauses?: readonly number[];
};

const PAUSES = [5, 30, 2 * 60, 10 * 60];
const AT_ONCE = 10;
/** No try takes so long: what is still taken then belonged to a process that is gone. */
const TAKEN_SECONDS = 30;

/** Tells whoever asked for it that a video has ended, signed as Standard Webhooks are, until it has arrived or five tries failed. */
export function createVideoWebhooks({ sql, secret, post, log, pauses = PAUSES }: Parts) {
  const stopped = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let presentVideo: PresentVideo | undefined;
  let working: Promise<void> | undefined;

  return {
    secretOf,

    /** In the transaction that ends the video. */
    async note(tx: Tx, row: VideoRow): Promise<void> {
      const type = newsOf(row);
      if (!row.webhook || !type) return;
      const news = { id: newId('msg'), account_id: row.account_id, type, target: row.webhook };
      await createWebhookStore(tx).insert(news, asVideo(row));
    },

    /** From now on `work` delivers. */
    start(present: PresentVideo): void {
      presentVideo = present;
      void kick();
    },

    /** Delivers what is due. */
    work: kick,

    sweep: () => createWebhookStore(sql).sweep(),

    async close(): Promise<void> {
      stopped.abort();
      for (const timer of timers) clearTimeout(timer);
      await working?.catch(() => {});
    },
  };

  /** The account's own, as receivers enter it: whsec_ and base64. */
  async function secretOf(accountId: string): Promise<string> {
    const key = await secret.mac('webhooks of videos', accountId);
    return `whsec_${Buffer.from(key, 'hex').toString('base64')}`;
  }

  function kick(): Promise<void> {
    const present = presentVideo;
    if (!present || stopped.signal.aborted) return Promise.resolve();
    // Those that came while others were delivered are found by one more look.
    const next = (working ?? Promise.resolve()).then(() => deliverDue(present));
    working = next.catch((error: unknown) => {
      if (!stopped.signal.aborted) log.warn({ err: error }, 'webhooks of videos could not be looked up');
    });
    return working;
  }

  async function deliverDue(present: PresentVideo): Promise<void> {
    while (!stopped.signal.aborted) {
      const due = await createWebhookStore(sql).take(AT_ONCE, TAKEN_SECONDS);
      await Promise.all(due.map((delivery) => deliver(delivery, present)));
      if (due.length < AT_ONCE) return;
    }
  }

  async function deliver(delivery: Delivery, present: PresentVideo): Promise<void> {
    const { account_id: accountId, id, tries } = delivery;
    const outcome = await attempt(delivery, present);
    // It goes on with the next start.
    if (stopped.signal.aborted) return;
    const arrived = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
    const seconds = arrived ? undefined : pauses[tries - 1];
    if (!arrived) log.info({ webhook: id, outcome, tries }, 'a webhook of a video did not arrive');
    await createWebhookStore(sql).settle({ accountId, id }, { outcome, arrived, seconds });
    if (seconds !== undefined) again(seconds);
  }

  async function attempt(delivery: Delivery, present: PresentVideo): Promise<Outcome> {
    try {
      const message = await messageOf(delivery, present);
      return { status: await post(delivery.target.url, message, stopped.signal) };
    } catch (error) {
      if (error instanceof AssetRefused) return { reason: error.reason };
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
