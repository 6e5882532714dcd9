create table notes (
  id integer primary key,
  body text not null
);

create table counters (
  name text primary key,
  value integer not null
);

insert into counters (name, value) values ('visits', 0);
