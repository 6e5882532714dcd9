-- Credits of an account, which outlive the month. Whoever changes an account's quota locks this row first, so changes
-- of one account follow one another and those of others do not wait.
create table quota_balances (
  account_id text primary key references accounts (id) on delete cascade,
  credits integer not null default 0 check (credits >= 0)
);

-- Units of the plan that are used or held in a month (UTC, YYYY-MM).
create table quota_months (
  account_id text not null references accounts (id) on delete cascade,
  month text not null,
  used integer not null check (used >= 0),
  primary key (account_id, month)
);

-- Hooks delivered by the day they were asked for (UTC).
create table quota_days (
  account_id text not null references accounts (id) on delete cascade,
  day date not null,
  hooks integer not null check (hooks >= 0),
  -- Units of templates generated and edited with AI.
  templates integer not null default 0 check (templates >= 0),
  primary key (account_id, day)
);

-- Units taken before the work: held until it says what was delivered. A refunded one has been charged nothing.
create table quota_reservations (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  key text,
  -- The month that is charged, whenever the work ends.
  month text not null,
  requested integer not null check (requested > 0),
  purpose text not null default 'hooks' check (purpose in ('hooks', 'templates')),
  plan_units integer not null check (plan_units >= 0),
  credit_units integer not null check (credit_units >= 0),
  state text not null default 'held' check (state in ('held', 'settled', 'refunded')),
  charged integer not null default 0 check (charged between 0 and plan_units + credit_units),
  created_at timestamptz not null,
  -- The last sign of life of the work.
  kept_at timestamptz not null,
  ended_at timestamptz
);

create index quota_reservations_account on quota_reservations (account_id);
create index quota_reservations_held on quota_reservations (kept_at) where state = 'held';
-- One that was refunded frees its key: the work may be tried again.
create unique index quota_reservations_key on quota_reservations (account_id, key)
  where key is not null and state <> 'refunded';

-- The ledger: what every change added to the account (positive) or took from it. Its sums are the balances: credits are
-- the sum of credit_units, a month's used units the negated sum of its plan_units.
create table quota_entries (
  seq bigint generated always as identity primary key,
  account_id text not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('reserve', 'refund', 'grant', 'take_back')),
  month text not null,
  plan_units integer not null,
  credit_units integer not null,
  reservation_id text,
  -- What credits were granted or taken back for, such as a purchase.
  source text,
  created_at timestamptz not null
);

create index quota_entries_account on quota_entries (account_id, seq);
create unique index quota_entries_source on quota_entries (account_id, kind, source) where source is not null;

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are never changed';
end
$$;

create trigger quota_entries_append_only before update on quota_entries
  for each row execute function refuse_ledger_change();

-- Every function below is one round trip and one transaction. Its statements see what others committed while it waited
-- for the lock, which the parts of a single statement would not.

create function quota_month(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM')
$$;

-- Locks the quota of an account until the transaction ends; gives its credits.
create function quota_lock(account text) returns integer language plpgsql as $$
declare
  credits_left integer;
begin
  select credits into credits_left from quota_balances where account_id = account for update;
  if not found then
    insert into quota_balances (account_id) values (account) on conflict do nothing;
    select credits into credits_left from quota_balances where account_id = account for update;
  end if;
  return credits_left;
end
$$;

-- Holds units, of the plan first (a negative limit has no end), then credits, as many as there are. Without any left
-- there is no reservation. A key that is in use gives the reservation it made.
create function quota_reserve(
  account text, new_id text, units integer, plan_limit integer, once_key text, at timestamptz, used_for text,
  out reservation_id text, out reservation_state text, out granted integer, out asked integer, out used_units integer
) language plpgsql as $$
declare
  credits_left integer := quota_lock(account);
  this_month text := quota_month(at);
  from_plan integer;
  from_credits integer;
begin
  -- Need not be on the disk before the work begins: if the database crashes within a second, what is forgotten cannot be
  -- settled, and so is neither delivered nor charged.
  perform set_config('synchronous_commit', 'off', true);

  select id, state, plan_units + credit_units, requested
    into reservation_id, reservation_state, granted, asked
    from quota_reservations
    where account_id = account and key = once_key and state <> 'refunded';
  if found then
    -- Whoever asks again works on it: what a crash left behind is not swept from under them.
    update quota_reservations set kept_at = greatest(kept_at, at) where id = reservation_id and state = 'held';
    return;
  end if;

  select used into used_units from quota_months where account_id = account and month = this_month;
  used_units := coalesce(used_units, 0);
  from_plan := case when plan_limit < 0 then units else least(units, greatest(plan_limit - used_units, 0)) end;
  from_credits := least(units - from_plan, credits_left);
  granted := from_plan + from_credits;
  asked := units;
  if granted = 0 then return; end if;

  if from_plan > 0 then
    insert into quota_months (account_id, month, used) values (account, this_month, from_plan)
      on conflict (account_id, month) do update set used = quota_months.used + excluded.used;
  end if;
  if from_credits > 0 then
    update quota_balances set credits = credits - from_credits where account_id = account;
  end if;
  insert into quota_reservations
    (id, account_id, key, month, requested, purpose, plan_units, credit_units, created_at, kept_at)
    values (new_id, account, once_key, this_month, units, used_for, from_plan, from_credits, at, at);
  insert into quota_entries (account_id, kind, month, plan_units, credit_units, reservation_id, created_at)
    values (account, 'reserve', this_month, -from_plan, -from_credits, new_id, at);
  reservation_id := new_id;
  reservation_state := 'held';
end
$$;

-- Charges what was delivered, at most what is held, and gives back the rest, credits first. With `silent_since` only
-- if the work has given no sign of life after it. Not done when it has ended before; else with what is used of the month
-- and left of the credits then. Without a reservation there is nothing to charge, and it is done.
create function quota_settle(
  account text, reservation text, delivered integer, at timestamptz, silent_since timestamptz default null,
  out done boolean, out used_units integer, out credits_left integer
) language plpgsql as $$
declare
  held quota_reservations;
  charge integer;
  credits_back integer;
  plan_back integer;
begin
  done := reservation is null;
  if done then return; end if;

  perform from quota_balances where account_id = account for update;
  select * into held from quota_reservations
    where account_id = account and id = reservation and state = 'held'
      and (silent_since is null or kept_at <= silent_since)
    for update;
  done := found;
  if not done then return; end if;

  charge := least(greatest(delivered, 0), held.plan_units + held.credit_units);
  credits_back := least(held.plan_units + held.credit_units - charge, held.credit_units);
  plan_back := held.plan_units + held.credit_units - charge - credits_back;
  update quota_reservations
    set state = case when charge = 0 then 'refunded' else 'settled' end, charged = charge, ended_at = at
    where id = reservation;
  if charge > 0 then
    insert into quota_days (account_id, day, hooks, templates)
      values (account, (held.created_at at time zone 'UTC')::date,
        case held.purpose when 'hooks' then charge else 0 end,
        case held.purpose when 'templates' then charge else 0 end)
      on conflict (account_id, day) do update
      set hooks = quota_days.hooks + excluded.hooks, templates = quota_days.templates + excluded.templates;
  end if;
  if plan_back > 0 then
    update quota_months set used = used - plan_back where account_id = account and month = held.month;
  end if;
  if credits_back > 0 then
    update quota_balances set credits = credits + credits_back where account_id = account;
  end if;
  if plan_back + credits_back > 0 then
    insert into quota_entries (account_id, kind, month, plan_units, credit_units, reservation_id, created_at)
      values (account, 'refund', held.month, plan_back, credits_back, reservation, at);
  end if;
  select coalesce((select used from quota_months where account_id = account and month = quota_month(at)), 0), credits
    into used_units, credits_left from quota_balances where account_id = account;
end
$$;

-- Adds credits, once for a source; false when that was done before.
create function quota_grant(account text, amount integer, grant_source text, at timestamptz)
returns boolean language plpgsql as $$
begin
  perform quota_lock(account);
  insert into quota_entries (account_id, kind, month, plan_units, credit_units, source, created_at)
    values (account, 'grant', quota_month(at), 0, amount, grant_source, at)
    on conflict do nothing;
  if not found then return false; end if;
  update quota_balances set credits = credits + amount where account_id = account;
  return true;
end
$$;

-- Takes credits, as many as there are, once for a source; gives how many that took, also when asked again.
create function quota_take_back(account text, amount integer, take_source text, at timestamptz)
returns integer language plpgsql as $$
declare
  taken integer := least(amount, quota_lock(account));
  before integer;
begin
  select -credit_units into before from quota_entries
    where account_id = account and kind = 'take_back' and source = take_source;
  if found then return before; end if;
  insert into quota_entries (account_id, kind, month, plan_units, credit_units, source, created_at)
    values (account, 'take_back', quota_month(at), 0, -taken, take_source, at);
  update quota_balances set credits = credits - taken where account_id = account;
  return taken;
end
$$;

-- Visitors without an account: what all of them used or hold of a day (UTC). Locked first, as the balances above.
create table visitor_days (
  day date primary key,
  used integer not null check (used >= 0)
);

create table visitor_allowances (
  day date not null references visitor_days (day) on delete cascade,
  -- A keyed hash that changes daily, of a visitor or of the wider network; it names nobody.
  visitor text not null,
  used integer not null check (used >= 0),
  primary key (day, visitor)
);

create table visitor_reservations (
  id text primary key,
  day date not null references visitor_days (day) on delete cascade,
  visitor text not null,
  network text not null,
  granted integer not null check (granted > 0),
  created_at timestamptz not null
);

create index visitor_reservations_created on visitor_reservations (created_at);
create index visitor_reservations_day on visitor_reservations (day);

-- Holds what is left of the visitor's, of their network's and of everybody's part of the day. None left makes no
-- reservation; `all_left` and `network_left` tell whose part it was.
create function visitor_reserve(
  new_id text, of_visitor text, of_network text, units integer, daily integer, network_daily integer, ceiling integer,
  at timestamptz, out granted integer, out all_left integer, out network_left integer
) language plpgsql as $$
declare
  this_day date := (at at time zone 'UTC')::date;
  all_used integer;
  own_used integer;
  network_used integer;
begin
  insert into visitor_days (day, used) values (this_day, 0) on conflict do nothing;
  select used into all_used from visitor_days where day = this_day for update;
  select used into own_used from visitor_allowances where day = this_day and visitor = of_visitor;
  select used into network_used from visitor_allowances where day = this_day and visitor = of_network;
  all_left := greatest(ceiling - all_used, 0);
  network_left := greatest(network_daily - coalesce(network_used, 0), 0);
  granted := least(units, greatest(daily - coalesce(own_used, 0), 0), network_left, all_left);
  if granted = 0 then return; end if;

  update visitor_days set used = used + granted where day = this_day;
  insert into visitor_allowances (day, visitor, used)
    values (this_day, of_visitor, granted), (this_day, of_network, granted)
    on conflict (day, visitor) do update set used = visitor_allowances.used + excluded.used;
  insert into visitor_reservations (id, day, visitor, network, granted, created_at)
    values (new_id, this_day, of_visitor, of_network, granted, at);
end
$$;

-- Ends a reservation and gives back what was not delivered to the day it came from; false when it has ended before.
create function visitor_settle(of_visitor text, reservation text, delivered integer)
returns boolean language plpgsql as $$
declare
  held visitor_reservations;
  back integer;
begin
  perform from visitor_days
    where day = (select day from visitor_reservations where id = reservation and visitor = of_visitor) for update;
  delete from visitor_reservations where id = reservation and visitor = of_visitor returning * into held;
  if not found then return false; end if;
  back := held.granted - least(greatest(delivered, 0), held.granted);
  update visitor_days set used = used - back where day = held.day;
  update visitor_allowances set used = used - back
    where day = held.day and visitor in (held.visitor, held.network);
  return true;
end
$$;

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
