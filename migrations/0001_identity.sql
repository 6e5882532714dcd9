create table accounts (
  id text primary key,
  name text not null,
  is_local boolean not null default false,
  -- False until the account has its environments and starter templates: if the process stops in between, the next start continues.
  seeded boolean not null default false,
  created_at timestamptz not null default now()
);

-- At most one local owner, who needs no credential on a loopback host.
create unique index accounts_local on accounts (is_local) where is_local;

-- Secrets the server generated because the operator configured none.
create table server_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

create table users (
  id text primary key,
  -- Lower case; null if the identity provider sent none.
  email text unique,
  email_verified boolean not null default false,
  name text not null default '',
  avatar text,
  language text,
  -- argon2id in the PHC form; null for people who sign in without a password.
  password_hash text,
  -- How the person first signed up: password, code or oidc.
  auth_provider text not null,
  oidc_issuer text,
  oidc_subject text,
  -- Last claims of the identity provider: repeated claims do not overwrite the person's own changes.
  oidc_claims jsonb,
  created_at timestamptz not null default now(),
  unique (oidc_issuer, oidc_subject)
);

create table memberships (
  account_id text not null references accounts (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);

create index memberships_user on memberships (user_id);

-- Invitations to addresses that have not signed in yet.
create table invitations (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (account_id, email)
);

create index invitations_email on invitations (email);

create table sessions (
  id text primary key,
  token_sha256 text not null unique,
  user_id text not null references users (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade,
  user_agent text,
  address text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- One live code per address, stored as a keyed hash.
create table sign_in_codes (
  email text primary key,
  code_mac text not null,
  -- Name of a new user who signs up with the code.
  name text,
  tries_left integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sign_in_codes_expiry on sign_in_codes (expires_at);

-- Sign-in attempts of the last hour, by address and by network, each as a keyed hash.
create table sign_in_tries (
  subject text primary key,
  tried_at timestamptz[] not null
);

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
  revoked_at timestamptz,
  seq integer generated always as identity,
  -- Plans apply only to keys that an account created for itself, not to the operator's keys.
  origin text not null default 'operator' check (origin in ('operator', 'account')),
  -- Allowed addresses and CIDR ranges; empty allows any.
  ip_whitelist text[] not null default '{}',
  last_used_ip text,
  -- The person who holds the key: their role bounds it, and it ends with them. Null if no person created it.
  made_by text references users (id) on delete cascade
);

create index api_keys_account on api_keys (account_id, seq);
create index api_keys_made_by on api_keys (made_by);

-- The account of anonymous callers, whose usage is counted by network.
insert into accounts (id, name, seeded) values ('acc_anonymous', 'visitors', true);
