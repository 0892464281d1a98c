-- What pages report about themselves (S7.49): no address, no person; kept 30 days.
create table rum (
  id text collate "C" primary key,
  type text not null,
  ts text,
  url text,
  ua text,
  message text,
  filename text,
  lineno double precision,
  colno double precision,
  status double precision,
  duration double precision,
  method text,
  created_at timestamptz not null
);
create index rum_created on rum (created_at);
