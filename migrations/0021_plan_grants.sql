-- Plans that the operator gives an account, beside what it pays for; the better of both counts.
create table plan_grants (
  account_id text not null references accounts (id) on delete cascade,
  app text not null check (app in ('hooks', 'sync')),
  plan text not null,
  -- Null: until the operator takes it back.
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, app)
);
