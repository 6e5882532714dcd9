create table templates (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  kind text not null check (kind in ('template', 'layout', 'partial')),
  description text not null,
  tags text[] not null,
  -- Rises with every change a reader can see; the entity tag is made of it.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create unique index templates_name on templates (account_id, name) where deleted_at is null;

-- What versions hold, stored once however many versions share it.
create table contents (
  account_id text not null references accounts (id) on delete cascade,
  sha256 text not null,
  document jsonb not null,
  primary key (account_id, sha256)
);

create table versions (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  template_id text not null references templates (id) on delete cascade,
  seq integer not null,
  label text not null,
  branch text not null,
  parents text[] not null,
  content text not null,
  variables jsonb not null,
  -- The layout and partials used, each with the version it had when this one was saved.
  uses jsonb not null,
  bump text not null,
  bump_reason text not null,
  message text not null,
  author text not null,
  rolled_back_from text,
  created_at timestamptz not null default now(),
  unique (template_id, seq),
  unique (template_id, label),
  foreign key (account_id, content) references contents (account_id, sha256)
);

create index versions_uses on versions using gin (uses jsonb_path_ops);

create table branches (
  account_id text not null references accounts (id) on delete cascade,
  template_id text not null references templates (id) on delete cascade,
  name text not null,
  head text not null references versions (id),
  base text not null references versions (id),
  description text not null,
  created_at timestamptz not null default now(),
  merged_at timestamptz,
  primary key (template_id, name)
);

create table environments (
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  position integer not null,
  require_from text,
  approvals integer not null default 0,
  frozen boolean not null default false,
  primary key (account_id, name)
);

create table pointers (
  account_id text not null,
  template_id text not null references templates (id) on delete cascade,
  environment text not null,
  version_id text not null references versions (id),
  primary key (template_id, environment),
  foreign key (account_id, environment) references environments (account_id, name) on delete cascade
);

create index pointers_version on pointers (version_id);

create table pointer_events (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  template_id text not null references templates (id) on delete cascade,
  environment text not null,
  version_id text not null references versions (id),
  previous_id text references versions (id),
  action text not null check (action in ('created', 'promoted', 'rolled_back')),
  forced boolean not null,
  note text not null,
  actor text not null,
  created_at timestamptz not null default now()
);

create index pointer_events_template on pointer_events (template_id, environment, seq);

create table promotion_approvals (
  account_id text not null references accounts (id) on delete cascade,
  template_id text not null references templates (id) on delete cascade,
  environment text not null,
  version_id text not null references versions (id) on delete cascade,
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (template_id, environment, version_id, actor)
);

create table fixtures (
  account_id text not null references accounts (id) on delete cascade,
  template_id text not null references templates (id) on delete cascade,
  name text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (template_id, name)
);
