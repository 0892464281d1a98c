create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- People. A deleted account keeps its row, so that messages and reviews keep their author (API.md 7.7).
create table app_user (
  id text collate "C" primary key,
  username text not null,
  username_key text not null unique,
  email text unique,
  email_verified_at timestamptz,
  password_hash text,
  phone text,
  avatar text,
  shop_name text,
  slug text unique,
  bio text not null default '',
  language text not null check (language in ('fr', 'en')),
  verified_seller boolean not null default false,
  is_moderator boolean not null default false,
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  items_sold integer not null default 0 check (items_sold >= 0),
  rating_count integer not null default 0 check (rating_count >= 0),
  rating_sum integer not null default 0 check (rating_sum >= 0),
  typical_response_hours integer,
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  suspended_at timestamptz,
  suspended_reason text,
  deleted_at timestamptz
);

-- Every slug a person ever had keeps resolving (API.md 4.3).
create table user_slug (
  slug text primary key,
  user_id text collate "C" not null references app_user
);
create index user_slug_user on user_slug (user_id);

create table session (
  id text collate "C" primary key,
  token_hash bytea not null unique,
  user_id text collate "C" not null references app_user,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index session_by_user on session (user_id);
create index session_by_use on session (last_used_at);

create table one_time_token (
  token_hash bytea primary key,
  user_id text collate "C" not null references app_user,
  purpose text not null check (purpose in ('verify', 'reset')),
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz
);
create index one_time_token_user on one_time_token (user_id, purpose);
create index one_time_token_expires on one_time_token (expires_at);

-- One row per key whose effect is committed (API.md 2).
create table idempotency (
  scope text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint not null,
  body text,
  location text,
  created_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_created on idempotency (created_at);

-- Work that follows from a commit: mails, pushes, pictures, sweeps.
create table job (
  id text collate "C" primary key,
  kind text not null,
  payload jsonb not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  locked_until timestamptz,
  last_error text,
  created_at timestamptz not null
);
create index job_due on job (kind, run_at);

-- Facts about this database; `epoch` makes cursors of a restored copy unreadable (API.md 3).
create table setting (
  name text primary key,
  value text not null
);
insert into setting (name, value) values ('epoch', substr(md5(random()::text || clock_timestamp()::text), 1, 8));
