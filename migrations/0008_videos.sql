-- Videos: what was asked, what it is painted from, and what became of it. Their bytes are blobs.
create table videos (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  title text not null,
  -- Seconds.
  duration double precision not null,
  template text not null,
  format text not null check (format in ('mp4', 'webm', 'gif', 'png')),
  quality text not null check (quality in ('draft', 'standard', 'high')),
  width integer not null,
  height integer not null,
  fps integer not null,
  -- How many are painted.
  frames integer not null,
  -- The frame that the poster shows, or the still of a png.
  poster_frame integer not null,
  -- As it was asked (src/videos/request.ts).
  request jsonb not null,
  -- The template filled with the data (FilledPage), so that a later template changes nothing of it.
  page jsonb not null,
  -- What is told of its end, and where: { url, locale, baseUrl }; null: nobody is told.
  webhook jsonb,
  status text not null default 'pending' check (status in
    ('pending', 'rendering', 'finalizing', 'completed', 'failed', 'canceled')),
  -- Counts the retries, from 1.
  attempt integer not null default 1,
  -- Rises with every change a reader can see; events are numbered by it.
  revision integer not null default 1,
  -- Of all that it is made from and with: equal hashes are equal videos. Null until that is known.
  content_hash text,
  -- How often pieces were made anew, since another machine had made them.
  remade integer not null default 0,
  -- Frames that were there when this attempt began: the pace is told without them.
  frames_kept integer not null default 0,
  -- { file, poster?, captions? }, each { key, bytes, sha256 }. Videos with the same hash may share them.
  files jsonb,
  engine jsonb,
  error jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index videos_account on videos (account_id, seq);
create index videos_unfinished on videos (account_id, seq) where status in ('pending', 'rendering', 'finalizing');
create index videos_content on videos (account_id, content_hash) where status = 'completed';

-- The pieces of an unfinished video, each of them done by any process; and the chunks of one that may be retried.
create table video_steps (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  video_id text not null references videos (id) on delete cascade,
  kind text not null check (kind in ('prepare', 'chunk', 'finish')),
  -- Of a chunk: its place among the chunks, from 0, and its frames, the last one not included.
  idx integer not null default 0,
  from_frame integer not null default 0,
  to_frame integer not null default 0,
  -- A waiting one has no ticket in the queue: its turn has not come.
  status text not null default 'waiting' check (status in ('waiting', 'queued', 'running', 'done')),
  -- Which delivery owns the step: what an earlier one writes is refused.
  attempt integer not null default 0,
  frames_done integer not null default 0,
  -- Of a chunk that is done: what made it, and where it is.
  fingerprint text,
  engine jsonb,
  blob_key text,
  -- The poster, when its frame is one of the chunk's: { key, bytes, sha256 }.
  poster jsonb,
  heartbeat_at timestamptz not null default now(),
  done_at timestamptz,
  unique (video_id, kind, idx)
);
create index video_steps_account on video_steps (account_id) where status = 'waiting';
create index video_steps_live on video_steps (heartbeat_at) where status in ('queued', 'running');

-- News of an end on their way to whoever asked for them.
create table video_webhooks (
  -- The webhook-id of all tries.
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  video_id text not null,
  type text not null check (type in ('video.completed', 'video.failed', 'video.canceled')),
  -- The video as it was at its end, and { url, locale, baseUrl }.
  video jsonb not null,
  target jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  -- What came of the last try: { status } or { reason }.
  outcome jsonb,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index video_webhooks_due on video_webhooks (next_at) where status = 'waiting';
create index video_webhooks_account on video_webhooks (account_id, video_id);

-- Templates of videos that accounts have saved. Those that come with the product are files.
create table video_templates (
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  html text not null,
  manifest jsonb not null,
  -- Counts how often it was saved.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);
