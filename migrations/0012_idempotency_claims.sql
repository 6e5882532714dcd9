-- What a call under a key did is found by when the key was first used. That stays when the call failed or was cut off and
-- is made again, and is another one once the key is free again after a day.
alter table idempotency_keys add column began_at timestamptz not null default now();
