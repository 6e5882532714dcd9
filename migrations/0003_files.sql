-- Files handed out by link for a while: exports, pictures. Their bytes are blobs.
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
