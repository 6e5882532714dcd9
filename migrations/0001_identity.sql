-- A secret the server made for itself, where the operator gave none.
create table server_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

create table users (
  id text primary key,
  -- Lower case; null where an identity provider told none.
  email text unique,
  email_verified boolean not null default false,
  name text not null default '',
  avatar text,
  language text,
  -- argon2id in the PHC form; null for people who sign in without a password.
  password_hash text,
  -- password, code or oidc: how the person came first.
  auth_provider text not null,
  oidc_issuer text,
  oidc_subject text,
  -- What the identity provider last told of the person: what it tells again does not undo their own changes.
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

-- People asked to join who have not signed in with that address yet.
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

-- One live code an address; the code itself is kept as a keyed hash.
create table sign_in_codes (
  email text primary key,
  code_mac text not null,
  -- What a newcomer who signs up with the code is called.
  name text,
  tries_left integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sign_in_codes_expiry on sign_in_codes (expires_at);

-- When somebody tried to sign in, of the last hour: by address and by network, each as a keyed hash.
create table sign_in_tries (
  subject text primary key,
  tried_at timestamptz[] not null
);

-- Visitors without an account; what they may do is counted by where they come from.
insert into accounts (id, name, furnished) values ('acc_anonymous', 'visitors', true);
