-- What was generated once: a topic and its hooks. Visitors leave none.
create table generations (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  actor text not null,
  -- Made once for a key: a job that is run again finds what it had made. Null where nothing is repeated.
  key text,
  topic text not null,
  platform text,
  language text,
  provider text not null,
  model text,
  requested integer not null,
  -- Tokens and cost; null where no model was asked.
  usage jsonb,
  created_at timestamptz not null default now(),
  unique (account_id, key)
);

create index generations_account on generations (account_id, seq);

create table hooks (
  seq integer generated always as identity,
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  generation_id text not null references generations (id) on delete cascade,
  -- From 0, in the order of the answer.
  position integer not null,
  text text not null,
  style text not null,
  score integer not null,
  why text not null,
  pattern text not null,
  chars integer not null,
  seconds double precision not null,
  flags text[] not null,
  -- What its owner said of it; null is nothing yet.
  copied boolean,
  used boolean,
  winner boolean,
  metric double precision,
  rated_at timestamptz,
  created_at timestamptz not null default now(),
  unique (generation_id, position)
);

create index hooks_account on hooks (account_id, seq);
-- Which styles worked is counted with every rating.
create index hooks_tried on hooks (account_id) where winner is not null or used;

create table brand_voices (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  samples text[] not null,
  -- How to write, and what to leave out, in the owner's words.
  do_text text not null,
  avoid_text text not null,
  forbidden_words text[] not null,
  language text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, name)
);
