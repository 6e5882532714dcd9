import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { type NewWebhook, Webhook } from './webhook.ts';

// The SQL of webhooks: where an account wants to be told of events.

const WebhookRow = z.object({
  id: z.string(),
  url: z.string(),
  events: Webhook.shape.events,
  description: z.string(),
  enabled: z.boolean(),
  secret_nonce: z.string(),
  former_nonce: z.string().nullable(),
  former_until: z.date().nullable(),
  failing_since: z.date().nullable(),
  stopped_at: z.date().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
});
export type WebhookRow = z.output<typeof WebhookRow>;

export type WebhookSettings = Pick<NewWebhook, 'url' | 'events' | 'description' | 'enabled'>;

/** Until the end of the transaction, no other webhook of the account is created. */
export async function lockWebhooks(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ${accountId}::text, 0))`;
}

/** Undefined when the account has `limit` already. */
export async function insert(
  tx: Tx,
  accountId: string,
  { id, nonce, url, events, description, enabled }: WebhookSettings & { id: string; nonce: string },
  limit: number,
): Promise<WebhookRow | undefined> {
  const [row] = await tx`
    insert into webhooks (id, account_id, url, events, description, enabled, secret_nonce)
    select ${id}, ${accountId}, ${url}, ${[...events]}::text[], ${description}, ${enabled}::boolean, ${nonce}
    where (select count(*) from webhooks where account_id = ${accountId}) < ${limit}
    returning *`;
  return row && WebhookRow.parse(row);
}

/** Oldest first. */
export async function list(sql: Sql | Tx, accountId: string): Promise<WebhookRow[]> {
  const rows = await sql`select * from webhooks where account_id = ${accountId} order by seq`;
  return z.array(WebhookRow).parse(rows);
}

export async function find(sql: Sql | Tx, accountId: string, id: string): Promise<WebhookRow | undefined> {
  const [row] = await sql`select * from webhooks where account_id = ${accountId} and id = ${id}`;
  return row && WebhookRow.parse(row);
}

export async function lock(tx: Tx, accountId: string, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx`select * from webhooks where account_id = ${accountId} and id = ${id} for update`;
  return row && WebhookRow.parse(row);
}

/** Saves the settings. Enabling it forgets that it failed before. */
export async function update(
  tx: Tx,
  accountId: string,
  id: string,
  { url, events, description, enabled }: WebhookSettings,
): Promise<WebhookRow> {
  const [row] = await tx`
    update webhooks set url = ${url}, events = ${[...events]}::text[], description = ${description},
      failing_since = case when enabled and url = ${url} then failing_since end,
      stopped_at = case when not ${enabled}::boolean then stopped_at end, enabled = ${enabled}, updated_at = now()
    where account_id = ${accountId} and id = ${id}
    returning *`;
  return WebhookRow.parse(row);
}

/** Gives it another secret. The one until now signs too for `seconds`. */
export async function replaceSecret(
  tx: Tx,
  accountId: string,
  id: string,
  { nonce, seconds }: { nonce: string; seconds: number },
): Promise<WebhookRow | undefined> {
  const [row] = await tx`
    update webhooks set former_nonce = secret_nonce, secret_nonce = ${nonce}, updated_at = now(),
      former_until = now() + make_interval(secs => ${seconds}::float8)
    where account_id = ${accountId} and id = ${id}
    returning *`;
  return row && WebhookRow.parse(row);
}

/** Deletes it with its deliveries. */
export async function remove(tx: Tx, accountId: string, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx`delete from webhooks where account_id = ${accountId} and id = ${id} returning *`;
  return row && WebhookRow.parse(row);
}

/** Disables it, as the server does when nothing arrives. False when it was disabled. */
export async function stop(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await tx`
    update webhooks set enabled = false, stopped_at = now()
    where account_id = ${accountId} and id = ${id} and enabled
    returning id`;
  return rows.length === 1;
}
