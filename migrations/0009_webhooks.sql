-- Webhooks: where an account wants to be told of events.
create table webhooks (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  url text not null,
  events text[] not null,
  description text not null default '',
  enabled boolean not null default true,
  -- Its secret is computed from this and the server's secret. Rotating replaces it; until `former_until` the former signs too.
  secret_nonce text not null,
  former_nonce text,
  former_until timestamptz,
  -- Since when every attempt has failed; null after one that arrived.
  failing_since timestamptz,
  -- When the server disabled it because its attempts only failed.
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhooks_account on webhooks (account_id, seq);

-- The outbox and its log: each event once for each webhook that wants it, written in the transaction of the change.
create table webhook_deliveries (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  -- Null: the `webhook_url` of a video, which is in `target`.
  webhook_id text references webhooks (id) on delete cascade,
  -- The webhook-id of every attempt: the same for all webhooks that get the event, and when it is sent again.
  message_id text not null,
  type text not null,
  data jsonb not null,
  -- { url, locale, baseUrl }
  target jsonb,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  -- Counts the claims, and is their fencing token.
  attempts integer not null default 0,
  -- The result of the last attempt: { status } or { reason }.
  outcome jsonb,
  attempted_at timestamptz,
  -- When the next attempt is due; during one, when another process may take over.
  next_at timestamptz not null default now(),
  happened_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check (webhook_id is not null or target is not null)
);
create index webhook_deliveries_due on webhook_deliveries (account_id, next_at) where status = 'waiting';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, seq);
create index webhook_deliveries_old on webhook_deliveries (created_at) where status <> 'waiting';

-- Tells the account's webhooks of an event. Called by the statement that makes the change, or in its transaction: both
-- happen, or neither. Without a webhook it costs one look into an index.
create function emit_event(account text, event text, payload jsonb) returns bigint language sql as $$
  with message as materialized (select 'msg_' || replace(gen_random_uuid()::text, '-', '') as id),
  added as (
    insert into webhook_deliveries (id, account_id, webhook_id, message_id, type, data)
    select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), account, w.id, message.id, event, payload
    from webhooks w cross join message
    where w.account_id = account and w.enabled and event = any (w.events)
    returning id)
  select count(pg_notify('webhooks', '')) from added
$$;

-- Tells one receiver, which is not among the account's webhooks.
create function send_event(account text, event text, payload jsonb, receiver jsonb) returns bigint language sql as $$
  with added as (
    insert into webhook_deliveries (id, account_id, message_id, type, data, target)
    values ('dlv_' || replace(gen_random_uuid()::text, '-', ''), account,
      'msg_' || replace(gen_random_uuid()::text, '-', ''), event, payload, receiver)
    returning id)
  select count(pg_notify('webhooks', '')) from added
$$;
