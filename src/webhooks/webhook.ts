import { z } from 'zod';
import type { Scope } from '../identity/caller.ts';

/** What webhooks can be told, and the scope a caller needs to read the same. */
export const EVENT_SCOPES = {
  'template.version.created': 'templates:read',
  'branch.merged': 'templates:read',
  'environment.promoted': 'templates:read',
  'video.completed': 'videos:read',
  'video.failed': 'videos:read',
  'sync.run.finished': 'sync:read',
  'hooks.generated': 'hooks:read',
  'billing.subscription.changed': 'billing:read',
} as const satisfies Record<string, Scope>;

type EventType = keyof typeof EVENT_SCOPES;

// Object.keys loses the names; these are the ones of the type.
const EVENT_TYPES = Object.keys(EVENT_SCOPES) as [EventType, ...EventType[]];

/** The event of a test, which no webhook subscribes to. */
export const PING = 'webhook.ping';

export const WebhookUrl = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .meta({ description: 'HTTPS URL that receives the events' });

export const WebhookEvents = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .transform((events) => [...new Set(events)])
  .meta({ description: 'Events to send' });

export const WebhookDescription = z.string().trim().max(200);

/** A webhook as it is shown: never its secret. */
export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  description: z.string(),
  enabled: z.boolean(),
  status: z.enum(['active', 'failing', 'paused', 'stopped']).meta({
    description:
      'failing: no attempt has arrived since failing_since. paused: enabled is false. stopped: disabled by the server after 5 days of failures or a 410 response',
  }),
  failing_since: z.iso.datetime().nullable(),
  former_secret_until: z.iso.datetime().nullable().meta({
    description: 'Time until which the secret before the last rotation signs too',
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Webhook = z.output<typeof Webhook>;

/** The same with its secret, this once. */
export const NewWebhook = Webhook.extend({
  secret: z.string().optional().meta({
    description:
      'Secret that signs the events, as in Standard Webhooks. Returned once; omitted when the response is replayed by idempotency key',
  }),
});
export type NewWebhook = z.output<typeof NewWebhook>;

/** One event for one webhook, with the result of its last attempt. */
export const Delivery = z.object({
  id: z.string(),
  message_id: z
    .string()
    .meta({ description: 'The webhook-id header: the same for every attempt and when it is resent' }),
  type: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  response_status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the last attempt, if there was a response' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why the last attempt got no response, such as too_slow' }),
  happened_at: z.iso.datetime(),
  attempted_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});
export type Delivery = z.output<typeof Delivery>;
