-- A browser that may be woken; it dies with the session that posted it (API.md 13.1).
create table push_subscription (
  id text collate "C" primary key,
  user_id text collate "C" not null references app_user,
  session_id text collate "C" not null references session on delete cascade,
  endpoint text collate "C" not null unique,
  p256dh text not null,
  auth text not null,
  user_agent text not null,
  lang text not null check (lang in ('fr', 'en')),
  failures integer not null default 0,
  created_at timestamptz not null,
  used_at timestamptz not null
);
create index push_subscription_user on push_subscription (user_id);
create index push_subscription_session on push_subscription (session_id);

-- Events that may wake somebody, written with the event and gone once it is decided what becomes of them.
-- `events`: how many it stands for (D114). `quiet`: held back until the person's quiet hours end.
create table push (
  event_id text collate "C" primary key,
  user_id text collate "C" not null,
  run_at timestamptz not null,
  events integer not null default 1,
  quiet boolean not null default false,
  created_at timestamptz not null
);
create index push_due on push (run_at);
create index push_user on push (user_id);

-- When somebody was woken lately, for the limit of 10 in 10 minutes; its row is also the lock of deciding.
create table push_account (
  user_id text collate "C" primary key references app_user,
  sent_at timestamptz[] not null default '{}'
);

-- One row per event and browser until it is delivered or given up. No references: a browser that goes takes nothing with it.
create table push_delivery (
  event_id text collate "C" not null,
  subscription_id text collate "C" not null,
  user_id text collate "C" not null,
  events integer not null,
  summary boolean not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null,
  primary key (event_id, subscription_id)
);
create index push_delivery_due on push_delivery (run_at);
