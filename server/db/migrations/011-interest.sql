-- Makes visitors without a session countable without keeping their address (API.md 8.4).
insert into setting (name, value) values ('viewer_salt', md5(random()::text || clock_timestamp()::text || random()::text));

-- One view per listing, viewer and day (API.md 8.4); kept 30 days for recommendations.
create table listing_view (
  listing_id text collate "C" not null references listing,
  viewer text collate "C" not null,
  day date not null,
  at timestamptz not null,
  primary key (listing_id, viewer, day)
);
create index listing_view_viewer on listing_view (viewer, at desc);
create index listing_view_at on listing_view (at);

-- One contact per listing, viewer, channel and day (API.md 8.9); told: the owner heard of it.
create table listing_contact (
  listing_id text collate "C" not null references listing,
  viewer text collate "C" not null,
  channel text not null check (channel in ('phone', 'whatsapp', 'message')),
  day date not null,
  at timestamptz not null,
  visitor boolean not null,
  told boolean not null default false,
  primary key (listing_id, viewer, channel, day)
);
create index listing_contact_at on listing_contact (at);

-- What a person or a visitor's session looked for, for recommendations (API.md 8.6).
create table search_signal (
  viewer text collate "C" not null,
  day date not null,
  category text collate "C" not null default '',
  region text collate "C" not null default '',
  price_min integer,
  price_max integer,
  at timestamptz not null,
  primary key (viewer, day, category, region)
);
create index search_signal_at on search_signal (at);

-- A removed favourite keeps its row for the delta read (API.md 3).
create table favorite (
  user_id text collate "C" not null references app_user,
  listing_id text collate "C" not null references listing,
  created_at timestamptz not null,
  removed_at timestamptz,
  -- the place of its last change on the person's tape (021)
  change bigint not null,
  changed_at timestamptz not null,
  primary key (user_id, listing_id)
);
create index favorite_newest on favorite (user_id, created_at desc, listing_id desc) where removed_at is null;
create index favorite_changes on favorite (user_id, change);
create index favorite_listing on favorite (listing_id, created_at) where removed_at is null;

create table saved_search (
  id text collate "C" primary key,
  user_id text collate "C" not null references app_user,
  name text not null,
  params jsonb not null,
  params_key text not null,
  alerts text not null check (alerts in ('off', 'daily', 'instant')),
  created_at timestamptz not null,
  last_run_at timestamptz,
  alerted_at timestamptz,
  alerts_day date,
  alerts_count integer not null default 0,
  unique (user_id, params_key)
);
create index saved_search_alerts on saved_search (alerts, alerted_at) where alerts <> 'off';
