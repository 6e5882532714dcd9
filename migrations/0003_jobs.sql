-- Tool calls that run after their response: what to do, for whom, and the progress. The queue decides when.
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
  -- The fencing token: which delivery owns the job. A result of an earlier one is rejected.
  attempt integer not null default 0,
  -- Rises with every change a reader can see; numbers the events.
  revision integer not null default 1,
  progress jsonb,
  result jsonb,
  error jsonb,
  cancel_requested boolean not null default false,
  -- Began as a call that took long: only the process that runs it can end it, and the queue does not know it.
  adopted boolean not null default false,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);

create index jobs_account on jobs (account_id, seq);
create index jobs_unfinished on jobs (account_id) where finished_at is null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
