-- Who made an upload link: it works as long as they may upload. Links of before name no one, and live for an hour at most.
delete from asset_uploads;
alter table asset_uploads add column caller jsonb not null;
