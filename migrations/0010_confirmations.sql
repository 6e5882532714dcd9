-- What people were asked before a model's call took effect, for ten minutes. Only the hash of an id is here: whoever reads
-- the table can confirm nothing.
create table confirmations (
  id_sha256 text primary key,
  account_id text not null references accounts (id) on delete cascade,
  -- A person answers the client itself, or the model carries the id.
  kind text not null check (kind in ('asked', 'carried')),
  -- SHA-256 of who calls which tool with which arguments.
  call_sha256 text not null,
  -- SHA-256 of what the person was told would change.
  change_sha256 text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);

create index confirmations_account on confirmations (account_id);
create index confirmations_created on confirmations (created_at);
