-- Consents of accounts that are gone, until their provider has revoked them: an account takes its other rows with it.
create table sync_left_grants (
  -- The grant's: its tokens are sealed for it.
  id text primary key,
  provider text not null check (provider in ('google', 'shopify')),
  subject text not null,
  tokens text not null,
  released_at timestamptz not null default now()
);
