alter table api_keys
  add column seq integer generated always as identity,
  -- The operator's keys, made by command, need no plan; those that an account made for itself stand still without one.
  add column origin text not null default 'operator' check (origin in ('operator', 'account')),
  -- Addresses and CIDR ranges it may be used from; none means any.
  add column ip_whitelist text[] not null default '{}',
  add column last_used_ip text,
  -- The person who holds the key, whose role bounds it and with whom it goes; null where no person made it.
  add column made_by text references users (id) on delete cascade;

drop index api_keys_account;
create index api_keys_account on api_keys (account_id, seq);
create index api_keys_made_by on api_keys (made_by);
