-- Calls that run after their answer. What is to be done, by whom, and how far it is; the queue only says when.
create table jobs (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  tool text not null,
  input jsonb not null,
  caller jsonb not null,
  locale text not null,
  base_url text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
  -- Which delivery owns the job: a result of an earlier one is refused.
  attempt integer not null default 0,
  -- Rises with every change a reader can see; events are numbered by it.
  revision integer not null default 1,
  progress jsonb,
  result jsonb,
  error jsonb,
  cancel_requested boolean not null default false,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  heartbeat_at timestamptz,
  finished_at timestamptz
);

create index jobs_account on jobs (account_id, seq);
create index jobs_unfinished on jobs (account_id) where finished_at is null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
