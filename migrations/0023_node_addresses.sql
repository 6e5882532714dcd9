-- Where other nodes reach this one. Null: nowhere.
alter table nodes add column address text;
