import type { NewWebhook } from '../../src/webhooks/webhook.ts';

/** The parts of a response with a secret that may be stored. */
export function withoutSecret({ secret: _secret, ...rest }: NewWebhook): NewWebhook {
  return rest;
}

/** A webhook of the examples. */
export const SHOP = {
  url: 'https://shop.example.com/stallhand',
  events: ['sync.run.finished', 'video.completed'],
};

/** One whose receiver does not exist. */
export const NOWHERE = { url: 'https://shop.example.invalid/stallhand', events: ['hooks.generated'] };
