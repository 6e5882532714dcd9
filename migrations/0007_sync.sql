-- Store ↔ spreadsheet synchronisation. Credentials are sealed (src/platform/secret-box.ts); hints are all that is shown.
create table sync_stores (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  domain text not null,
  -- Sealed: { token } or { clientId, clientSecret }, and the secret of its webhooks.
  credentials text not null,
  webhook_secret text,
  token_hint text not null,
  -- At what place stock is counted; chosen at connect time when the caller names none.
  location_id text,
  location_name text,
  name text not null,
  currency text not null,
  status text not null default 'connected' check (status in ('connected', 'reconnect_required', 'disconnected')),
  webhooks_checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, domain)
);
create index sync_stores_domain on sync_stores (domain);

create table sync_sheets (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  spreadsheet_id text not null,
  name text not null,
  -- The title of the tab, and its id there, which outlives a new title.
  sheet_name text not null,
  tab_id integer,
  -- Sealed: { accessToken, refreshToken } or { serviceAccount }.
  credentials text not null,
  token_hint text not null,
  locale text not null default 'en_US',
  columns text[] not null default '{}',
  status text not null default 'connected' check (status in ('connected', 'reconnect_required', 'disconnected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, spreadsheet_id, sheet_name)
);

-- Names a tab for all accounts that have connected it, under any title. Each account has a spreadsheet `demo` of its own.
create function sync_tab(sheet sync_sheets) returns text language sql immutable return
  case sheet.spreadsheet_id when 'demo' then sheet.account_id || ' ' else '' end
  || sheet.spreadsheet_id || ' ' || coalesce(sheet.tab_id::text, sheet.sheet_name);

create table sync_configs (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  store_id text not null references sync_stores (id) on delete cascade,
  sheet_id text not null references sync_sheets (id) on delete cascade,
  direction text not null check (direction in ('store_to_sheet', 'sheet_to_store', 'two_way')),
  -- [{ sheet_column, store_field }], in the order of the columns.
  mappings jsonb not null,
  -- The rest of a configuration (src/sync/config.ts), parsed there.
  options jsonb not null,
  -- Made by a run that named only a store and a sheet; not listed.
  implicit boolean not null default false,
  enabled boolean not null default true,
  every_minutes integer,
  realtime boolean not null default false,
  -- When the next automatic run is due; null: none is.
  next_at timestamptz,
  -- Of a realtime configuration: when all is read again. Until then webhooks name what to read.
  full_at timestamptz,
  -- The products and inventory items that webhooks have named since the last run, by id; `*`: all is to be read.
  webhook_items text[] not null default '{}',
  -- What the owners were last told of its automatic runs; null: they work.
  notice text check (notice in ('held', 'failed', 'paused')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sync_configs_account on sync_configs (account_id, seq);
create index sync_configs_store on sync_configs (store_id);
create index sync_configs_sheet on sync_configs (sheet_id);
create index sync_configs_due on sync_configs (next_at) where next_at is not null;
create unique index sync_configs_implicit on sync_configs (store_id, sheet_id, direction) where implicit;

create table sync_runs (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  config_id text not null references sync_configs (id) on delete cascade,
  store_id text not null,
  sheet_id text not null,
  -- sync_tab() of the sheet.
  tab text not null,
  trigger text not null check (trigger in ('manual', 'schedule', 'webhook', 'revert', 'retry')),
  direction text not null,
  dry_run boolean not null default false,
  status text not null default 'queued' check (status in
    ('queued', 'planning', 'awaiting_confirmation', 'applying', 'succeeded', 'partial', 'failed', 'canceled')),
  -- The configuration as it was when the run began: the plan is made and applied by this alone.
  settings jsonb not null,
  -- What the caller asked beyond that: initial side, confirmed plan, items of a webhook.
  request jsonb not null default '{}',
  -- Where the tab has what, as the plan found it (src/sync/plan/layout.ts).
  layout jsonb,
  counts jsonb not null default '{}',
  -- At most 1,000: { code, params, row?, sku?, field? }.
  errors jsonb not null default '[]',
  safety_limits_hit jsonb not null default '[]',
  calls jsonb not null default '{}',
  progress jsonb,
  reverts_run text,
  -- The fencing token: which delivery owns the run. Writes of an earlier one are rejected.
  attempt integer not null default 0,
  cancel_requested boolean not null default false,
  -- Raised by every change that a reader can see.
  revision integer not null default 1,
  actor text not null,
  locale text not null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index sync_runs_account on sync_runs (account_id, seq);
create index sync_runs_config on sync_runs (config_id, seq);
create index sync_runs_finished on sync_runs (finished_at) where finished_at is not null;
create index sync_runs_unsettled on sync_runs (store_id, sheet_id) where counts ? 'sent';
create index sync_runs_passing on sync_runs (seq) where status = 'awaiting_confirmation' or dry_run;
-- One run at a time on a tab: two that append at once would take the same row.
create unique index sync_runs_active on sync_runs (tab)
  where status in ('queued', 'planning', 'applying') and not dry_run;

create function revise_sync_run() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;
create trigger sync_runs_revised before update on sync_runs for each row
  when (new.status <> old.status or new.progress is distinct from old.progress or new.counts <> old.counts
    or new.cancel_requested <> old.cancel_requested)
  execute function revise_sync_run();

-- What a run is to change, cell by cell: the plan, then the log, then what undo goes by.
create table sync_changes (
  run_id text not null references sync_runs (id) on delete cascade,
  seq integer not null,
  account_id text not null,
  -- The item the cell is of, as the mapping's key names it.
  key text not null,
  row_no integer,
  variant_id text,
  product_id text,
  item_id text,
  field text not null,
  side text not null check (side in ('store', 'sheet')),
  kind text not null check (kind in ('set', 'append', 'clear')),
  from_value text,
  to_value text,
  -- What the base becomes when this change is applied, where that is not `to_value`.
  base_value text,
  batch integer not null,
  state text not null default 'planned' check (state in
    ('planned', 'sent', 'applied', 'failed', 'skipped', 'conflict', 'resolved')),
  code text,
  params jsonb,
  primary key (run_id, seq)
);
create index sync_changes_batch on sync_changes (run_id, batch, seq);
create index sync_changes_conflicts on sync_changes (account_id, run_id) where state = 'conflict';

-- How store and sheet stood when they were last the same: what either has changed since is told by this.
create table sync_base (
  config_id text not null references sync_configs (id) on delete cascade,
  key text not null,
  variant_id text not null,
  product_id text not null,
  item_id text not null,
  row_no integer,
  -- Canonical values in the order of the mappings; null: the field has none.
  vals text[] not null,
  primary key (config_id, key)
);

-- The two values that the undo of a run left, which differ: a side that still has its own has not changed.
create table sync_reverted (
  config_id text not null references sync_configs (id) on delete cascade,
  key text not null,
  -- Rows of the same product or item share some of their values.
  product_id text,
  item_id text,
  -- A field of the store; `row`: a row that is not appended or cleared again.
  field text not null,
  store_value text,
  sheet_value text,
  -- The run that was undone.
  run_id text not null,
  primary key (config_id, key, field)
);
create index sync_reverted_product on sync_reverted (config_id, product_id);
create index sync_reverted_item on sync_reverted (config_id, item_id);

-- Both sides as a run read them. Not logged: a run that lost them reads again.
create unlogged table sync_read_store (
  run_id text not null,
  seq integer not null,
  key text,
  -- The key without regard to case, for rows whose spelling differs.
  folded text,
  variant_id text not null,
  product_id text not null,
  item_id text not null,
  vals text[] not null,
  -- The unit of its weight, where it has one.
  unit text,
  -- The store sells the item whatever its quantity is.
  untracked boolean not null default false,
  -- Of the product of a variant without a key, so that a person finds it.
  title text,
  -- Several have this key, here or in the sheet: none of them is synced.
  blocked boolean not null default false,
  primary key (run_id, seq)
);
create index sync_read_store_key on sync_read_store (run_id, key);
create unlogged table sync_read_sheet (
  run_id text not null,
  row_no integer not null,
  -- Spelled as the store spells it, where the two differ in case only.
  key text,
  folded text,
  vals text[] not null,
  -- By position of the mapping: why a cell cannot be used; null: it can.
  faults text[],
  blocked boolean not null default false,
  primary key (run_id, row_no)
);
create index sync_read_sheet_key on sync_read_sheet (run_id, key);

-- What the API of a store still allows, shared by all nodes.
create unlogged table sync_throttles (
  domain text primary key,
  available double precision not null,
  capacity double precision not null,
  restore_rate double precision not null,
  at timestamptz not null
);

create table sync_webhook_events (
  -- X-Shopify-Webhook-Id of the store it is for.
  id text not null,
  store_id text not null references sync_stores (id) on delete cascade,
  topic text not null,
  received_at timestamptz not null default now(),
  primary key (store_id, id)
);
create index sync_webhook_events_received on sync_webhook_events (received_at);

-- The demo store and sheet of an account, as they were left.
create table sync_demos (
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  state jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);

-- Whether both sides, which are the same, have moved from the baseline alike in a cell, counted from 1: not below zero, and
-- only where `cell` and the value of the baseline are known. `isEqualMove` in src/sync/plan/decide.ts.
create function sync_equal_move(vals text[], base text[], cell int) returns boolean language sql immutable as $$
  select coalesce(vals[cell] not like '-%' and vals[cell] <> base[cell], false)
$$;

-- Items that webhooks have named, with more of them; above 500, reading all costs the store less.
create function sync_items(named text[], more text[]) returns text[] language sql immutable as $$
  select case when bool_or(item = '*') or count(*) > 500 then array['*'] else coalesce(array_agg(item order by item), '{}') end
  from (select distinct unnest(named || more) as item) items
$$;

-- Tells webhooks of a run that has finished, in the statement that ends it, or of one that is held until a person confirms
-- it. A preview changes nothing, so it is no event.
create function sync_run_finished(run sync_runs) returns bigint language plpgsql as $$
begin
  if run.dry_run or run.finished_at is null and run.status <> 'awaiting_confirmation' then return 0; end if;
  return emit_event(run.account_id, 'sync.run.finished', jsonb_build_object(
    'id', run.id, 'config_id', run.config_id, 'store_id', run.store_id, 'sheet_id', run.sheet_id,
    'trigger', run.trigger, 'direction', run.direction, 'status', run.status,
    'changed', coalesce((run.counts ->> 'changed')::int, 0), 'failed', coalesce((run.counts ->> 'failed')::int, 0),
    'skipped', coalesce((run.counts ->> 'skipped')::int, 0),
    'conflicts', coalesce((run.counts ->> 'conflicts')::int, 0), 'errors', jsonb_array_length(run.errors),
    'finished_at', to_char(run.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
end
$$;
