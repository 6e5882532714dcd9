-- Videos: the request, the filled page and the result. Their files are blobs.
create table videos (
  seq integer generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts (id) on delete cascade,
  title text not null,
  -- Seconds.
  duration double precision not null,
  template text not null,
  -- Of the account's own template; null: a built-in one.
  template_version integer,
  format text not null check (format in ('mp4', 'webm', 'gif', 'png')),
  quality text not null check (quality in ('draft', 'standard', 'high')),
  width integer not null,
  height integer not null,
  fps integer not null,
  -- How many are rendered.
  frames integer not null,
  -- The frame that the poster shows, or the still of a png.
  poster_frame integer not null,
  -- The request (src/videos/request.ts).
  request jsonb not null,
  -- The template filled with the data (FilledPage), so that a later template changes nothing of it.
  page jsonb not null,
  -- Where its end is announced: { url, locale, baseUrl }; null: nowhere.
  webhook jsonb,
  status text not null default 'pending' check (status in
    ('pending', 'rendering', 'finalizing', 'completed', 'failed', 'canceled')),
  -- Counts the retries, from 1.
  attempt integer not null default 1,
  -- Rises with every change a reader can see; events are numbered by it.
  revision integer not null default 1,
  -- Hash of the content and the engine: equal hashes are equal videos. Null until it is prepared.
  content_hash text,
  -- How often chunks were rendered again, since they came from different engines.
  remade integer not null default 0,
  -- Frames kept from an earlier attempt: they do not count for the pace of this one.
  frames_kept integer not null default 0,
  -- { file, poster?, captions? }, each { key, bytes, sha256 }. Videos with the same hash may share them.
  files jsonb,
  engine jsonb,
  error jsonb,
  -- What is doubtful about it, known when it was created, and found while it was rendered: src/videos/stored-warning.ts.
  warnings jsonb not null default '[]',
  render_warnings jsonb not null default '[]',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index videos_account on videos (account_id, seq);
create index videos_unfinished on videos (account_id, seq) where status in ('pending', 'rendering', 'finalizing');
create index videos_content on videos (account_id, content_hash) where status = 'completed';

-- The steps of an unfinished video, each done by any process, and the chunks of one that can be retried.
create table video_steps (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  video_id text not null references videos (id) on delete cascade,
  kind text not null check (kind in ('prepare', 'chunk', 'finish')),
  -- Of a chunk: its place among the chunks, from 0, and its frames, the last one not included.
  idx integer not null default 0,
  from_frame integer not null default 0,
  to_frame integer not null default 0,
  -- A waiting one has no job in the queue: its turn has not come.
  status text not null default 'waiting' check (status in ('waiting', 'queued', 'running', 'done')),
  -- The fencing token: which delivery owns the step. Writes of an earlier one are rejected.
  attempt integer not null default 0,
  frames_done integer not null default 0,
  -- Of a chunk that is done: its engine and its blob.
  fingerprint text,
  engine jsonb,
  blob_key text,
  -- The poster, when its frame is one of the chunk's: { key, bytes, sha256 }.
  poster jsonb,
  -- Of a chunk that is done: what was found while it was rendered.
  warnings jsonb,
  done_at timestamptz,
  unique (video_id, kind, idx)
);
create index video_steps_account on video_steps (account_id) where status = 'waiting';

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

-- What was saved, newest last; the highest version is the template's content.
create table video_template_versions (
  account_id text not null,
  name text not null,
  version integer not null,
  html text not null,
  manifest jsonb not null,
  -- The version whose content a rollback restored.
  rolled_back_from integer,
  created_at timestamptz not null default now(),
  primary key (account_id, name, version),
  foreign key (account_id, name) references video_templates (account_id, name) on delete cascade
);
