import type { Audit } from '../audit/audit.ts';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import { newId } from '../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { ClaimedDelivery, DeliveryRow, Outcome } from './delivery-repo.ts';
import * as deliveryRepo from './delivery-repo.ts';
import { newNonce, type WebhookSecrets } from './secrets.ts';
import type { Sender } from './sender.ts';
import { type Delivery, EVENT_SCOPES, type NewWebhook, PING, type Webhook } from './webhook.ts';
import type { WebhookRow, WebhookSettings } from './webhook-repo.ts';
import * as webhookRepo from './webhook-repo.ts';

type WebhooksDeps = {
  readonly sql: Sql;
  readonly secrets: WebhookSecrets;
  readonly sender: Pick<Sender, 'attempt' | 'claimSeconds'>;
  readonly audit: Pick<Audit, 'record'>;
  /** @throws AssetBlocked for a URL that can never be posted to */
  readonly requireUrl: (url: string) => unknown;
};

type Changes = { readonly [Field in keyof WebhookSettings]?: WebhookSettings[Field] | undefined };
type DeliveryFilter = PageRequest & { readonly status?: DeliveryRow['status'] | undefined };
type Action = 'created' | 'updated' | 'rotated' | 'deleted';

const MAX_WEBHOOKS = 10;
/** How long the secret before a rotation signs too. */
const FORMER_SECRET_SECONDS = 24 * 60 * 60;

/**
 * The webhooks of an account: where it wants to be told of events. In: a URL and kinds of events. Out: webhooks and
 * their deliveries. Invariant: a caller subscribes only to what it may read itself, and a secret is returned once,
 * when it is made.
 */
export function createWebhooks({ sql, secrets, sender, audit, requireUrl }: WebhooksDeps) {
  return {
    /** @throws Fault plan_limit.webhooks, validation_failed.webhook_url, insufficient_scope.events */
    async create(caller: Caller, settings: WebhookSettings): Promise<NewWebhook> {
      requireReceiver(settings.url);
      requireScopes(caller, settings.events);
      const { accountId } = caller;
      const row = await changing(caller, 'created', async (tx) => {
        await webhookRepo.lockWebhooks(tx, accountId);
        const made = { ...settings, id: newId('whk'), nonce: newNonce() };
        const inserted = await webhookRepo.insert(tx, accountId, made, MAX_WEBHOOKS);
        if (!inserted) throw new Fault('plan_limit.webhooks', { limit: MAX_WEBHOOKS });
        return inserted;
      });
      return withSecret(row);
    },

    /** Oldest first, at most 10. */
    async list(accountId: string): Promise<Webhook[]> {
      return (await webhookRepo.list(sql, accountId)).map(present);
    },

    /** @throws Fault not_found.webhook */
    async get(accountId: string, id: string): Promise<Webhook> {
      return present(await find(accountId, id));
    },

    /**
     * Changes what is given. Disabling it gives up what waits.
     * @throws Fault not_found.webhook, validation_failed.webhook_url, insufficient_scope.events
     */
    async update(caller: Caller, id: string, changes: Changes): Promise<Webhook> {
      const { accountId } = caller;
      if (changes.url !== undefined) requireReceiver(changes.url);
      const row = await changing(caller, 'updated', async (tx) => {
        const found = known(await webhookRepo.lock(tx, accountId, id), id);
        const settings = settingsOf(found, changes);
        // Another receiver reads all of them.
        if (changes.url !== undefined || changes.events) requireScopes(caller, settings.events);
        const changed = await webhookRepo.update(tx, accountId, id, settings);
        if (!changed.enabled) await deliveryRepo.abandonWaiting(tx, accountId, id, { reason: 'disabled' });
        return changed;
      });
      return present(row);
    },

    /** @throws Fault not_found.webhook */
    async remove(caller: Caller, id: string): Promise<void> {
      await changing(caller, 'deleted', async (tx) =>
        known(await webhookRepo.remove(tx, caller.accountId, id), id),
      );
    },

    /** Makes another secret; the one until now signs too for 24 hours. @throws Fault not_found.webhook */
    async rotateSecret(caller: Caller, id: string): Promise<NewWebhook> {
      const secret = { nonce: newNonce(), seconds: FORMER_SECRET_SECONDS };
      const row = await changing(caller, 'rotated', async (tx) =>
        known(await webhookRepo.replaceSecret(tx, caller.accountId, id, secret), id),
      );
      return withSecret(row);
    },

    /** Sends a test event, once, and waits for the result. Also while disabled. @throws Fault not_found.webhook */
    async ping(accountId: string, id: string): Promise<Delivery> {
      const ping = {
        id: newId('dlv'),
        webhookId: id,
        messageId: newId('msg'),
        type: PING,
        data: { webhook_id: id },
      };
      const claimed = await deliveryRepo.insertClaimed(sql, accountId, ping, sender.claimSeconds);
      if (!claimed) throw new Fault('not_found.webhook', { id });
      await sender.attempt(claimed);
      return presentDelivery(await findDelivery(accountId, id, ping.id));
    },

    /** Newest first; of the last 30 days. @throws Fault not_found.webhook, validation_failed.cursor */
    async deliveries(
      accountId: string,
      id: string,
      { status, ...request }: DeliveryFilter,
    ): Promise<Page<Delivery>> {
      await find(accountId, id);
      const { before, limit } = byNumber(request);
      const filter = { webhookId: id, status: status ?? null, before, limit: limit + 1 };
      const rows = await deliveryRepo.list(sql, accountId, filter);
      return pageOf(rows, limit, ({ seq }) => seq, presentDelivery);
    },

    /**
     * Sends an event again: a waiting one now, another one as a new delivery of the same message.
     * @throws Fault not_found.webhook, not_found.webhook_delivery, conflict.webhook_disabled
     */
    async resend(accountId: string, id: string, deliveryId: string): Promise<Delivery> {
      const { enabled } = await find(accountId, id);
      const { id: found } = await findDelivery(accountId, id, deliveryId);
      if (!enabled) throw new Fault('conflict.webhook_disabled', { id });
      const row =
        (await deliveryRepo.hasten(sql, accountId, id, found)) ??
        (await deliveryRepo.repeat(sql, accountId, id, { id: found, newId: newId('dlv') }));
      if (!row) throw new Fault('not_found.webhook_delivery', { id: deliveryId });
      return presentDelivery(row);
    },
  };

  /** One transaction with its audit event. */
  async function changing(
    { accountId, actor }: Caller,
    action: Action,
    change: (tx: Tx) => Promise<WebhookRow>,
  ) {
    return sql.begin(async (tx) => {
      const row = await change(tx);
      const { id, url, events, enabled } = row;
      // The path of a URL may be a secret of its own.
      const detail = { host: new URL(url).host, events, enabled };
      await audit.record(tx, accountId, { actor, action: `webhook.${action}`, target: id, detail });
      return row;
    });
  }

  async function find(accountId: string, id: string): Promise<WebhookRow> {
    return known(await webhookRepo.find(sql, accountId, id), id);
  }

  async function findDelivery(accountId: string, webhookId: string, id: string): Promise<DeliveryRow> {
    const row = await deliveryRepo.find(sql, accountId, webhookId, id);
    if (!row) throw new Fault('not_found.webhook_delivery', { id });
    return row;
  }

  function requireReceiver(url: string): void {
    try {
      requireUrl(url);
    } catch (error) {
      if (!(error instanceof AssetBlocked)) throw error;
      const key = 'validation_failed.webhook_url';
      throw new Fault(key, {}, { errors: [{ loc: ['body', 'url'], key }], cause: error });
    }
  }

  async function withSecret(row: WebhookRow): Promise<NewWebhook> {
    return { ...present(row), secret: await secrets.ofWebhook(row.id, row.secret_nonce) };
  }
}

type StopDeps = { readonly sql: Sql; readonly audit: Pick<Audit, 'record'> };

/** Disables a webhook whose receiver is gone, and gives up what waits for it. */
export function createWebhookStop({ sql, audit }: StopDeps) {
  return async (
    { account_id: accountId, webhook_id: id }: Pick<ClaimedDelivery, 'account_id' | 'webhook_id'>,
    outcome: Outcome,
  ): Promise<void> => {
    if (id === null) return;
    await sql.begin(async (tx) => {
      if (!(await webhookRepo.stop(tx, accountId, id))) return;
      await deliveryRepo.abandonWaiting(tx, accountId, id, { reason: 'disabled' });
      const event = { actor: 'stallhand', action: 'webhook.stopped', target: id, detail: { ...outcome } };
      await audit.record(tx, accountId, event);
    });
  };
}

function known(row: WebhookRow | undefined, id: string): WebhookRow {
  if (!row) throw new Fault('not_found.webhook', { id });
  return row;
}

function settingsOf(found: WebhookRow, { url, events, description, enabled }: Changes): WebhookSettings {
  return {
    url: url ?? found.url,
    events: events ?? found.events,
    description: description ?? found.description,
    enabled: enabled ?? found.enabled,
  };
}

/** @throws Fault insufficient_scope.events for an event whose data the caller may not read */
function requireScopes({ scopes }: Caller, events: WebhookSettings['events']): void {
  const hidden = events.find((event) => !scopes.includes(EVENT_SCOPES[event]));
  if (hidden) throw new Fault('insufficient_scope.events', { event: hidden, scope: EVENT_SCOPES[hidden] });
}

function present(row: WebhookRow): Webhook {
  const { id, url, events, description, enabled, failing_since, former_until } = row;
  return {
    ...{ id, url, events, description, enabled },
    status: statusOf(row),
    failing_since: failing_since?.toISOString() ?? null,
    former_secret_until: former_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function statusOf({ enabled, stopped_at, failing_since }: WebhookRow): Webhook['status'] {
  if (!enabled) return stopped_at ? 'stopped' : 'paused';
  return failing_since ? 'failing' : 'active';
}

function presentDelivery(row: DeliveryRow): Delivery {
  const { id, message_id, type, status, attempts, outcome } = row;
  return {
    ...{ id, message_id, type, status, attempts },
    response_status: outcome && 'status' in outcome ? outcome.status : null,
    reason: outcome && 'reason' in outcome ? outcome.reason : null,
    happened_at: row.happened_at.toISOString(),
    attempted_at: row.attempted_at?.toISOString() ?? null,
    next_attempt_at: status === 'waiting' ? row.next_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}
