-- The newest migration that a program must know to work on the schema after this one. Null: this one.
-- New databases have it from the start.
alter table schema_migrations add column if not exists min_program integer;
