create table accounts (
  id text primary key,
  name text not null,
  is_local boolean not null default false,
  -- False until the account has its environments and starter templates: a start cut off in between is taken up again.
  furnished boolean not null default false,
  created_at timestamptz not null default now()
);

-- The owner who needs no credential on a loopback bind: one, or none.
create unique index accounts_local on accounts (is_local) where is_local;

create table api_keys (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  public_id text not null unique,
  secret_sha256 text not null,
  mask text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_account on api_keys (account_id);

create table idempotency_keys (
  account_id text not null references accounts (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);

create index idempotency_keys_created on idempotency_keys (created_at);

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
