create table idempotency_keys (
  account_id text not null references accounts (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  -- The answer's JSON as text: jsonb would reorder its fields, and a repeated request gets the same bytes. `null` after a
  -- failure.
  answer text,
  created_at timestamptz not null default now(),
  -- First use of the key. It stays when a failed or interrupted call is repeated, and restarts after a day.
  began_at timestamptz not null default now(),
  primary key (account_id, key)
);

create index idempotency_keys_created on idempotency_keys (created_at);

-- Token buckets: full again at `full_at`. Unlogged, since after a crash every caller may start over; with a single index,
-- so that an update stays within its page.
create unlogged table rate_buckets (
  key text primary key,
  full_at timestamptz not null,
  -- Calls granted to the last request.
  granted integer not null
) with (fillfactor = 70);

-- Temporary downloads by link, such as exports and screenshots. Their content is in blobs.
create table files (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  token_sha256 text not null,
  -- Shared by all files of an account with the same content.
  blob_key text not null,
  filename text not null,
  media_type text not null,
  bytes integer not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index files_blob on files (account_id, blob_key);
create index files_expires on files (expires_at);

create table audit_events (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  actor text not null,
  action text not null,
  target text not null,
  from_value text,
  to_value text,
  detail jsonb not null,
  created_at timestamptz not null default now()
);

create index audit_events_account on audit_events (account_id, seq);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed';
end
$$;

create trigger audit_events_append_only before update on audit_events
  for each row execute function refuse_change();

-- What AI models cost of a day (UTC) with the server's keys, in billionths of a US dollar. `used` includes what is reserved
-- for calls in progress; what a crash left reserved stays in it, so that it is never less than what was spent.
create table ai_days (
  day date primary key,
  used bigint not null default 0 check (used >= 0),
  -- The highest percentage that the operator was told of.
  noticed integer not null default 0
);

create table ai_account_days (
  account_id text not null references accounts (id) on delete cascade,
  day date not null,
  used bigint not null default 0 check (used >= 0),
  noticed integer not null default 0,
  primary key (account_id, day)
);

-- Reserves an amount in the day of the server and of the account, or says whose limit refuses it; `first` when that limit
-- has refused nothing before on this day. A limit of null is none.
create function ai_reserve(
  account text, this_day date, amount bigint, server_limit bigint, account_limit bigint,
  out refused_by text, out first boolean
) language plpgsql as $$
declare
  server_used bigint;
  account_used bigint;
begin
  first := false;
  insert into ai_days (day) values (this_day) on conflict do nothing;
  select used into server_used from ai_days where day = this_day for update;
  insert into ai_account_days (account_id, day) values (account, this_day) on conflict do nothing;
  select used into account_used from ai_account_days where account_id = account and day = this_day for update;
  if account_used + amount > account_limit then
    refused_by := 'account';
    update ai_account_days set noticed = 100 where account_id = account and day = this_day and noticed < 100;
    first := found;
  elsif server_used + amount > server_limit then
    refused_by := 'server';
    update ai_days set noticed = 100 where day = this_day and noticed < 100;
    first := found;
  else
    update ai_days set used = used + amount where day = this_day;
    update ai_account_days set used = used + amount where account_id = account and day = this_day;
  end if;
end
$$;

-- Replaces a reserved amount with the cost. `server_warned` and `account_warned` are true once a day, when what is used
-- reaches the amount to warn at.
create function ai_settle(
  account text, this_day date, reserved bigint, cost bigint, server_warn bigint, account_warn bigint,
  out server_warned boolean, out account_warned boolean
) language plpgsql as $$
begin
  update ai_days set used = greatest(used - reserved + cost, 0) where day = this_day;
  update ai_account_days set used = greatest(used - reserved + cost, 0)
    where account_id = account and day = this_day;
  update ai_days set noticed = 80 where day = this_day and used >= server_warn and noticed < 80;
  server_warned := found;
  update ai_account_days set noticed = 80
    where account_id = account and day = this_day and used >= account_warn and noticed < 80;
  account_warned := found;
end
$$;
