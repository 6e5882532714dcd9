-- Access that people give by consent at Google or Shopify, instead of pasted tokens.

-- What one Google account or one store has given to an account here. Sheets and stores refer to it, so one consent serves all of them.
create table sync_grants (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  provider text not null check (provider in ('google', 'shopify')),
  -- The ID of the Google account; the domain of the store.
  subject text not null,
  -- What a person knows it by: an email address, a domain.
  label text not null,
  -- Who consented, as this account knows them.
  actor text not null,
  scopes text[] not null,
  -- Sealed: { accessToken, refreshToken }. Null: the provider has ended it.
  tokens text,
  expires_at timestamptz,
  refresh_expires_at timestamptz,
  -- Raised with every other set of tokens. Only the holder of the lease renews them.
  version integer not null default 1,
  leased_until timestamptz,
  -- Since when nothing here uses it, and it is to be revoked.
  released_at timestamptz,
  consented_at timestamptz not null default now(),
  unique (account_id, provider, subject)
);
create index sync_grants_subject on sync_grants (provider, subject);
create index sync_grants_released on sync_grants (released_at) where released_at is not null;
create index sync_grants_renewal on sync_grants (refresh_expires_at) where refresh_expires_at is not null;

-- Consents that were asked for, by the SHA-256 of their secrets: a link first, then a visit of one browser.
create table sync_consents (
  link_sha256 text primary key,
  account_id text not null references accounts (id) on delete cascade,
  -- Who asked, and alone may go on; null: a key that no person holds, or the local owner.
  user_id text references users (id) on delete cascade,
  actor text not null,
  provider text not null check (provider in ('google', 'shopify')),
  -- What is to be connected.
  request jsonb not null,
  state_sha256 text unique,
  browser_sha256 text,
  code_verifier text,
  taken_at timestamptz,
  expires_at timestamptz not null
);
create index sync_consents_account on sync_consents (account_id);
create index sync_consents_expiry on sync_consents (expires_at);

alter table sync_stores add column grant_id text references sync_grants (id) on delete set null,
  -- Whether access goes on without a person; null: saved before this was recorded.
  add column renewable boolean,
  add column expires_at timestamptz;
create index sync_stores_grant on sync_stores (grant_id) where grant_id is not null;
alter table sync_sheets add column grant_id text references sync_grants (id) on delete set null,
  add column renewable boolean,
  add column expires_at timestamptz;
create index sync_sheets_grant on sync_sheets (grant_id) where grant_id is not null;
