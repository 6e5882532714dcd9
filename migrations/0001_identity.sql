create table accounts (
  id text primary key,
  name text not null,
  is_local boolean not null default false,
  -- False until the account has its environments and starter templates: if the process stops in between, the next start continues.
  seeded boolean not null default false,
  created_at timestamptz not null default now(),
  -- Set when an owner deleted the account: everything in it stops, and 14 days later it is deleted permanently.
  deleted_at timestamptz,
  -- Set when someone verified an address that was registered unverified: until they say whether to keep what the account has,
  -- nothing runs in it automatically.
  taken_over_at timestamptz
);

-- At most one local owner, who needs no credential on a loopback host.
create unique index accounts_local on accounts (is_local) where is_local;

create index accounts_deleted on accounts (deleted_at) where deleted_at is not null;

-- Accounts in which work may run automatically. Every statement that claims work of all accounts joins it.
create view active_accounts as
  select id from accounts where deleted_at is null and taken_over_at is null;

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
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);

create index memberships_user on memberships (user_id);

-- Invitations that no one has accepted or declined yet.
create table invitations (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  email text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- SHA-256 of the token in the link of the last email; null if no email was sent.
  token_sha256 text unique,
  unique (account_id, email)
);

create index invitations_email on invitations (email);

-- Emails with invitations of the last day, to limit them by account and by address.
create table invitation_mails (
  account_id text not null references accounts (id) on delete cascade,
  email text not null,
  sent_at timestamptz not null
);

create index invitation_mails_account on invitation_mails (account_id, sent_at);
create index invitation_mails_email on invitation_mails (email, sent_at);

create table sessions (
  id text primary key,
  token_sha256 text not null unique,
  user_id text not null references users (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade,
  user_agent text,
  address text,
  created_at timestamptz not null default now(),
  -- When the person last authenticated; what cannot be undone needs it to be recent.
  authenticated_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- One live code per purpose and address. The code is computed from the nonce and the server's secret, so a code that is
-- still live can be sent again, and no code is stored.
create table sign_in_codes (
  purpose text not null,
  email text not null,
  nonce text not null,
  -- Name of a new user who signs up with the code.
  name text,
  -- Attempts from devices and networks the person has signed in from, and from all others.
  known_tries_left integer not null,
  tries_left integer not null,
  -- Emails with this code that unknown networks may still cause.
  sends_left integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (purpose, email)
);

create index sign_in_codes_expiry on sign_in_codes (expires_at);

-- Sign-in attempts of the last hour, by address, network and device, each as a keyed hash.
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
  made_by text references users (id) on delete cascade,
  -- The key that created this one, which ends with it.
  made_with text references api_keys (id) on delete cascade
);

create index api_keys_account on api_keys (account_id, seq);
create index api_keys_made_by on api_keys (made_by);
create index api_keys_made_with on api_keys (made_with);

-- The account of anonymous callers, whose usage is counted by network.
insert into accounts (id, name, seeded) values ('acc_anonymous', 'visitors', true);

-- One-time secrets of a sign-in in progress, each stored as its SHA-256: challenges for passkeys, a sign-in that waits for
-- its second factor, a visit to an identity provider, and the code that is exchanged for a session.
create table sign_in_challenges (
  token_sha256 text primary key,
  purpose text not null,
  user_id text references users (id) on delete cascade,
  data jsonb not null default '{}',
  tries_left integer not null,
  expires_at timestamptz not null
);

create index sign_in_challenges_user on sign_in_challenges (user_id);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- Name the person gave the device.
  name text not null,
  -- The authenticator's ID and public key, in base64url.
  credential_id text not null unique,
  public_key text not null,
  -- Signatures the authenticator counted; 0 where it does not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index passkeys_user on passkeys (user_id);

-- Authenticator apps: at most one per person. It counts once it is confirmed.
create table totp_secrets (
  user_id text primary key references users (id) on delete cascade,
  sealed_secret text not null,
  confirmed_at timestamptz,
  -- The last 30-second step whose code was used; it and earlier ones no longer work.
  last_step bigint not null default 0
);

-- Unused recovery codes, each as its SHA-256.
create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  code_sha256 text not null,
  primary key (user_id, code_sha256)
);

-- Identities of other issuers that a signed-in person linked to themselves.
create table linked_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

create index linked_identities_user on linked_identities (user_id);

-- Where a person has signed in before: devices, and browsers in a network, each as a keyed hash.
create table known_devices (
  user_id text not null references users (id) on delete cascade,
  mark text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, mark)
);

create index known_devices_use on known_devices (last_used_at);

-- When a person with a token of an identity provider authenticated again.
create table reauthentications (
  user_id text not null references users (id) on delete cascade,
  token_sha256 text not null,
  authenticated_at timestamptz not null default now(),
  primary key (user_id, token_sha256)
);

create index reauthentications_time on reauthentications (authenticated_at);
