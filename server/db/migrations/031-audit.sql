-- Who decided what from the command line (API.md 16), written with its effect.
create table audit (
  id text collate "C" primary key,
  at timestamptz not null,
  command text not null,
  target text,
  detail jsonb not null,
  -- the user of the operating system
  operator text not null
);
create index audit_target on audit (target, at);
