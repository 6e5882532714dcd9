-- How far the allowance of a caller is used up: at `full_at` nothing of it is used. Not logged, since after a crash
-- everyone may begin anew; without a second index, so that an update stays within its page.
create unlogged table rate_buckets (
  key text primary key,
  full_at timestamptz not null,
  -- Calls the last taker got.
  granted integer not null
) with (fillfactor = 70);
