import { exportList } from '../identity/accounts/account-export.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import { createGuardedPost, requirePostable } from '../platform/guarded-fetch/guarded-post.ts';
import { inBatches } from '../platform/in-batches.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import type { Video } from '../videos/video.ts';
import { StoredVideo } from '../videos/video-events.ts';
import type { Target } from '../webhooks/delivery-repo.ts';
import * as deliveryRepo from '../webhooks/delivery-repo.ts';
import { createWebhookSecrets } from '../webhooks/secrets.ts';
import { createSender } from '../webhooks/sender.ts';
import { createWebhookStop, createWebhooks } from '../webhooks/webhooks.ts';
import { type Base, defineService } from './service.ts';

/** Presents a video to the receiver of a webhook. */
type PresentVideo = (video: Video, reader: Omit<Target, 'url'>) => object | Promise<object>;

/** Tells the receivers that accounts have named of events. */
export function wireWebhooks({ sql, config, log, audit, now }: Base) {
  const secrets = createWebhookSecrets(createServerSecret({ sql, encryptionKey: config.encryptionKey }));
  // In open mode only the person at this machine calls, and may send events to a server of their own on it.
  const loopback = config.authMode === 'open';
  const post = createGuardedPost({ loopback });
  const postOnce = createGuardedPost({ loopback: false });
  const stop = createWebhookStop({ sql, audit });
  const sender = createSender({ sql, secrets, post, postOnce, log, now, stop });
  const { list, ...webhooks } = createWebhooks({ sql, secrets, sender, audit, requireUrl });
  const reader = {
    locale: config.defaultLanguage,
    baseUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
  };

  const api = {
    ...webhooks,
    list,
    /** The secret that signs the webhooks of an account's videos. */
    videoSecret: secrets.ofAccount,
    /** Delivers events in this process, until it is closed. */
    start({ presentVideo }: { readonly presentVideo: PresentVideo }): void {
      sender.start(({ type, data, target }) =>
        type.startsWith('video.') ? presentVideo(StoredVideo.parse(data), target ?? reader) : data,
      );
    },
  };
  return defineService({
    api: { webhooks: api },
    listeners: [{ channel: 'webhooks', onNotify: sender.work, onReconnect: sender.work }],
    jobs: {
      frequent: { webhooks: sender.work },
      hourly: { webhooks: () => inBatches((limit) => deliveryRepo.deleteOld(sql, limit)) },
    },
    exporters: [exportList('webhooks', list)],
    close: sender.close,
  });

  function requireUrl(address: string): void {
    const { protocol, port } = requirePostable(address, { loopback });
    // As `isPublicHttps` has it.
    if (protocol === 'https:' && port !== '' && !loopback) throw new AssetBlocked('not_public');
  }
}
