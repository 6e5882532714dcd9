-- The customer of an account at Stripe; null before the first purchase and after the customer was deleted there, which
-- `generation` counts. `fetches_begun` counts fetches: what an older one brings never replaces what a newer one brought.
create table billing_customers (
  account_id text primary key references accounts (id) on delete cascade,
  stripe_customer_id text unique,
  generation integer not null default 0,
  fetches_begun bigint not null default 0,
  fetch_written bigint not null default 0,
  -- Email, name and language as they were last sent: only what changes here is sent again, so that what the customer
  -- changes at Stripe stays.
  contact jsonb,
  created_at timestamptz not null default now()
);

-- What Stripe said last of a subscription; Stripe is the source, this the copy that every call can read.
create table subscriptions (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  app text not null check (app in ('hooks', 'sync')),
  plan text not null,
  status text not null,
  price_id text not null,
  interval text not null check (interval in ('day', 'week', 'month', 'year')),
  -- Billed every so many intervals: a quarter is 3 months.
  interval_count integer not null default 1,
  -- In the smallest unit of the currency.
  amount bigint not null,
  currency text not null,
  current_period_end timestamptz not null,
  cancel_at_period_end boolean not null,
  -- When payment began to fail; null while nothing is owed.
  past_due_since timestamptz,
  updated_at timestamptz not null default now()
);

create index subscriptions_account on subscriptions (account_id, app);

-- Purchases of credits, granted once each.
create table credit_purchases (
  checkout_session_id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  credits integer not null,
  -- How many were to be taken back in all, in turn: [50, 100, 50] after a refund, a dispute and its end. Each step is made once.
  taken_back jsonb not null default '[]',
  created_at timestamptz not null default now()
);

create index credit_purchases_account on credit_purchases (account_id);

-- Webhooks received: a hint of what changed, worked off after the answer. `done_at` null means it is still to do.
create table stripe_events (
  id text primary key,
  type text not null,
  customer_id text,
  -- Where the event names a charge and no customer.
  charge_id text,
  attempts integer not null default 0,
  claimed_until timestamptz,
  -- Due at once; clocks of the nodes and of the database need not agree on when that is.
  next_try_at timestamptz not null default '-infinity',
  last_error text,
  received_at timestamptz not null default now(),
  done_at timestamptz,
  -- Given up after eight tries; kept for the operator.
  dead_at timestamptz
);

create index stripe_events_waiting on stripe_events (next_try_at) where done_at is null and dead_at is null;

-- Up to when Stripe's own list of events has been gone through, in case some were never delivered.
create table billing_watermarks (
  name text primary key,
  at timestamptz not null
);

-- The newest checkout of an account for an app, and the request that has the turn to open the next one: no two can be paid.
create table checkout_turns (
  account_id text not null references accounts (id) on delete cascade,
  app text not null check (app in ('hooks', 'sync')),
  checkout_session_id text,
  -- Null while no request has the turn.
  turn text,
  until timestamptz not null,
  primary key (account_id, app)
);
