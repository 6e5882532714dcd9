-- What assets hold, stored once for an account however many assets share it. The bytes are a blob, which is stored before
-- its row; a blob without a row is removed after a day.
create table asset_contents (
  account_id text not null references accounts (id) on delete cascade,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image', 'font', 'audio', 'video')),
  media_type text not null,
  bytes bigint not null,
  -- Pixels; null for what has none.
  width integer,
  height integer,
  -- Seconds.
  duration double precision,
  created_at timestamptz not null default now(),
  primary key (account_id, sha256)
);
create index asset_contents_sha256 on asset_contents (sha256);

-- The account's own pictures, fonts, sounds and clips, by path.
create table assets (
  id text not null,
  account_id text not null references accounts (id) on delete cascade,
  path text not null,
  sha256 text not null,
  alt text not null default '',
  tags text[] not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- A bundle keeps the IDs, so that the references to them work in another account too.
  primary key (account_id, id),
  foreign key (account_id, sha256) references asset_contents (account_id, sha256)
);
create unique index assets_path on assets (account_id, path) where deleted_at is null;

-- Everything an asset has been: the addresses in emails that were sent still work after it was replaced.
create table asset_states (
  account_id text not null,
  asset_id text not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, asset_id, sha256),
  foreign key (account_id, asset_id) references assets (account_id, id) on delete cascade,
  foreign key (account_id, sha256) references asset_contents (account_id, sha256)
);
create index asset_states_sha256 on asset_states (account_id, sha256);

-- Other sizes and formats of a picture, made when they are first asked for. A cache: the oldest give way.
create table asset_variants (
  account_id text not null,
  sha256 text not null,
  spec text not null,
  bytes bigint not null,
  created_at timestamptz not null default now(),
  primary key (account_id, sha256, spec),
  foreign key (account_id, sha256) references asset_contents (account_id, sha256) on delete cascade
);
create index asset_variants_age on asset_variants (account_id, created_at);

-- Links that take one file, without a credential.
create table asset_uploads (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  token_sha256 text not null unique,
  path text not null,
  alt text,
  tags text[],
  -- What was announced: the file has so many bytes, or at most so many where it is not exact, and this SHA-256 if it is set.
  bytes bigint not null,
  exact boolean not null,
  sha256 text,
  received bigint not null default 0,
  -- Keys of the blobs that hold what was received, in order.
  parts text[] not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index asset_uploads_account on asset_uploads (account_id);
create index asset_uploads_expires on asset_uploads (expires_at);
