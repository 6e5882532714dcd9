-- A job can wait for a person: its questions by their keys, each with the answer once there is one.
alter table jobs add column questions jsonb not null default '{}';
alter table jobs drop constraint jobs_status_check;
alter table jobs add constraint jobs_status_check
  check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'canceled'));
