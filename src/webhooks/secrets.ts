import { randomBytes } from 'node:crypto';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { ClaimedDelivery } from './delivery-repo.ts';

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/**
 * The secrets that sign events, in the format that receivers enter: whsec_ and base64. They are computed from the server's
 * secret, so the database alone does not reveal them.
 */
export function createWebhookSecrets(secret: ServerSecret) {
  /** For the webhooks of an account's videos. */
  const ofAccount = (accountId: string) => format(secret.mac('webhooks of videos', accountId));
  const ofWebhook = (id: string, nonce: string) => format(secret.mac('webhooks', `${id} ${nonce}`));
  return {
    ofAccount,
    ofWebhook,

    /** Those that sign a delivery: one, or two after a rotation. */
    async of({ account_id, webhook_id, secret_nonce, former_nonce }: ClaimedDelivery): Promise<string[]> {
      if (webhook_id === null) return [await ofAccount(account_id)];
      const nonces = [secret_nonce, former_nonce].filter((nonce) => nonce !== null);
      return Promise.all(nonces.map((nonce) => ofWebhook(webhook_id, nonce)));
    },
  };
}

/** Makes another secret of the same webhook. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

async function format(mac: Promise<string>): Promise<string> {
  return `whsec_${Buffer.from(await mac, 'hex').toString('base64')}`;
}
