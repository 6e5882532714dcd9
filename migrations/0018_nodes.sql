-- Processes that serve this database now. A row that is not renewed is of a process that ended without saying so.
create table nodes (
  id text primary key,
  host text not null,
  -- Which store of files it has: nodes that share one read the same mark in it.
  files text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
