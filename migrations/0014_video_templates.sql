-- Templates of videos that accounts have saved. Those that come with the product are files.
create table video_templates (
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  html text not null,
  manifest jsonb not null,
  -- Counts how often it was saved.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);
