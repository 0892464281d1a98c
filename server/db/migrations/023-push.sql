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

-- The outbox: one row per event and subscription, written with the event, gone when it is settled.
-- No reference to the subscription: one that ends meanwhile must not make the event fail.
create table push (
  event_id text collate "C" not null,
  subscription_id text collate "C" not null,
  user_id text collate "C" not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null,
  primary key (event_id, subscription_id)
);
create index push_due on push (run_at);
create index push_user on push (user_id, created_at);

-- What was sent to whom lately, for the limit of 10 in 10 minutes (D114), and what quiet hours held back.
create table push_account (
  user_id text collate "C" primary key references app_user,
  sent_at timestamptz[] not null default '{}',
  held integer not null default 0,
  quiet_event_id text collate "C"
);
