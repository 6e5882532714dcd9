-- A row of a sheet may become a product: one change a value, all of a product in one batch.
alter table sync_changes drop constraint sync_changes_kind_check;
alter table sync_changes add constraint sync_changes_kind_check check (kind in ('set', 'append', 'clear', 'create'));
