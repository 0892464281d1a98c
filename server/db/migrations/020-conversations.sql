-- One conversation per listing and buyer (API.md 11). `last_seq` is counted under this row's lock.
create table conversation (
  id text collate "C" primary key,
  listing_id text collate "C" not null references listing,
  buyer_id text collate "C" not null references app_user,
  seller_id text collate "C" not null references app_user,
  last_seq integer not null default 0,
  created_at timestamptz not null,
  unique (listing_id, buyer_id),
  check (buyer_id <> seller_id)
);
create index conversation_buyer on conversation (buyer_id, seller_id);
create index conversation_seller on conversation (seller_id, buyer_id);

-- A conversation as one side sees it. The seller has no row before the first message (D61).
-- `change` is the place of the last visible change on that person's tape (021).
create table participant (
  user_id text collate "C" not null references app_user,
  conversation_id text collate "C" not null references conversation,
  read_until integer not null default 0,
  unread integer not null default 0 check (unread >= 0),
  sorted_at timestamptz not null,
  change bigint not null default 0,
  updated_at timestamptz not null,
  primary key (user_id, conversation_id)
);
create index participant_newest on participant (user_id, sorted_at desc, conversation_id desc);
create index participant_change on participant (user_id, change);
create index participant_unread on participant (user_id) include (unread) where unread > 0;
create index participant_conversation on participant (conversation_id);

-- `client_id` and the request's fingerprint stay as long as the row (API.md 2, lifetime).
create table message (
  id text collate "C" not null,
  conversation_id text collate "C" not null references conversation,
  seq integer not null check (seq > 0),
  sender_id text collate "C" not null references app_user,
  content text not null,
  attachment jsonb,
  client_id text collate "C",
  fingerprint bytea,
  created_at timestamptz not null,
  primary key (conversation_id, seq)
);
create unique index message_key on message (sender_id, client_id) where client_id is not null;
