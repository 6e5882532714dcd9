-- How an account presents itself: what emails print as @brand, what videos and generated texts take by default.
create table brands (
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  -- What is set of it (src/brand/brand.ts).
  fields jsonb not null,
  -- Rises with every change; writers name the one they read.
  version integer not null default 1,
  updated_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);

-- The brand that an account's emails show. Called where a template is found, so that it costs no statement of its own.
create function default_brand_fields(account text) returns jsonb
  language sql stable
  as $$ select fields from brands where account_id = account and name = 'default' $$;

-- What a video took from the brand: { brand, version, fields }; null: nothing.
alter table videos add column brand jsonb;
