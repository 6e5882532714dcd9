create table idempotency_keys (
  account_id text not null references accounts (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  -- First use of the key. It stays when a failed or interrupted call is repeated, and restarts after a day.
  began_at timestamptz not null default now(),
  primary key (account_id, key)
);

create index idempotency_keys_created on idempotency_keys (created_at);

-- Token buckets: full again at `full_at`. Unlogged, since after a crash every caller may start over; with a single index,
-- so that an update stays within its page.
create unlogged table rate_buckets (
  key text primary key,
  full_at timestamptz not null,
  -- Calls granted to the last request.
  granted integer not null
) with (fillfactor = 70);

-- Temporary downloads by link, such as exports and screenshots. Their content is in blobs.
create table files (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  token_sha256 text not null,
  -- Shared by all files of an account with the same content.
  blob_key text not null,
  filename text not null,
  media_type text not null,
  bytes integer not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index files_blob on files (account_id, blob_key);
create index files_expires on files (expires_at);

create table audit_events (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  actor text not null,
  action text not null,
  target text not null,
  from_value text,
  to_value text,
  detail jsonb not null,
  created_at timestamptz not null default now()
);

create index audit_events_account on audit_events (account_id, seq);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed';
end
$$;

create trigger audit_events_append_only before update on audit_events
  for each row execute function refuse_change();
