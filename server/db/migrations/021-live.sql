-- Numbers what one person may see change. The row is locked until the commit, so that a number is never
-- visible before a smaller one: whoever has read up to n of a tape has missed nothing.
create table tape (
  user_id text collate "C" primary key references app_user,
  last bigint not null
);

-- What happened, for one reader: the socket's log (7 days) and the list of notifications (180 days).
create table event (
  id text collate "C" primary key,
  user_id text collate "C" not null references app_user,
  seq bigint not null,
  name text not null,
  data jsonb not null,
  actor_id text collate "C" references app_user,
  conversation_id text collate "C",
  message_seq integer,
  -- null: not in the list
  notification_id text collate "C",
  -- false: only a push follows from it (a switch of API.md 12.2 keeps it from the app)
  live boolean not null,
  read_at timestamptz,
  change bigint not null,
  changed_at timestamptz not null,
  created_at timestamptz not null,
  unique (user_id, seq)
);
create index event_list on event (user_id, seq desc) where notification_id is not null;
create index event_change on event (user_id, change) where notification_id is not null;
create index event_unread on event (user_id, conversation_id, message_seq) where notification_id is not null and read_at is null;
create unique index event_notification on event (notification_id) where notification_id is not null;
-- only the sweep asks by time: an index of ranges costs a write nearly nothing
create index event_created on event using brin (created_at);

-- Who is connected where; of use only while the processes live, so it may be lost with the machine.
create unlogged table live_process (
  id text collate "C" primary key,
  seen_at timestamptz not null
);
create unlogged table live_socket (
  id text collate "C" primary key,
  process_id text collate "C" not null,
  user_id text collate "C" not null,
  session_id text collate "C" not null,
  visible boolean not null default false,
  opened_at timestamptz not null
);
create index live_socket_user on live_socket (user_id);
create index live_socket_process on live_socket (process_id);
