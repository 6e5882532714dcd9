-- Programs that people let into an account by signing in, and what the authorization server keeps of it.

-- Clients that registered themselves. Those that publish a metadata document are not kept.
create table oauth_clients (
  id text primary key,
  -- As registered; a client secret is in it as its SHA-256.
  metadata jsonb not null,
  created_at timestamptz not null default now(),
  -- When a person last let it in; null while no one has.
  used_at timestamptz
);
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;

-- One program in one account, let in by one person. It ends with their membership.
create table connected_apps (
  id text primary key,
  grant_id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  client_id text not null,
  -- What the program calls itself.
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null,
  seq integer generated always as identity,
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);
create index connected_apps_account on connected_apps (account_id, seq);
create index connected_apps_user on connected_apps (user_id);
create index connected_apps_expiry on connected_apps (expires_at);

-- Codes, tokens, grants and sign-ins in progress, by the SHA-256 of their secret.
create table oauth_rows (
  kind text not null,
  id_sha256 text not null,
  -- Set for codes and tokens: they end with the connected app.
  grant_id text references connected_apps (grant_id) on delete cascade,
  -- A keyed hash of the code that a person types for a device.
  user_code_mac text unique,
  uid_sha256 text,
  payload jsonb not null,
  -- When it was used; a second use is an alarm.
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, id_sha256)
);
create index oauth_rows_grant on oauth_rows (grant_id);
create index oauth_rows_uid on oauth_rows (uid_sha256) where uid_sha256 is not null;
create index oauth_rows_expiry on oauth_rows (expires_at);
