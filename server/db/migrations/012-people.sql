-- Who follows whom; an ended follow keeps its row, because a new one tells the seller once in 24 hours (API.md 10.1).
create table follow (
  follower_id text collate "C" not null references app_user,
  seller_id text collate "C" not null references app_user,
  created_at timestamptz not null,
  ended_at timestamptz,
  told_at timestamptz,
  primary key (follower_id, seller_id),
  check (follower_id <> seller_id)
);
create index follow_seller on follow (seller_id, created_at desc) where ended_at is null;

create table block (
  blocker_id text collate "C" not null references app_user,
  blocked_id text collate "C" not null references app_user,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index block_blocked on block (blocked_id);

create table review (
  id text collate "C" primary key,
  seller_id text collate "C" not null references app_user,
  author_id text collate "C" not null references app_user,
  rating smallint not null check (rating between 1 and 5),
  comment text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (seller_id, author_id)
);
create index review_newest on review (seller_id, created_at desc, id desc);
create index review_author on review (author_id);

-- The seller's aggregate follows its reviews, whoever changes them.
create function review_counted() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update app_user set rating_count = rating_count - 1, rating_sum = rating_sum - old.rating where id = old.seller_id;
  end if;
  if tg_op <> 'DELETE' then
    update app_user set rating_count = rating_count + 1, rating_sum = rating_sum + new.rating where id = new.seller_id;
  end if;
  return null;
end $$;
create trigger review_counted after insert or update of rating or delete on review for each row execute function review_counted();

create table report (
  id text collate "C" primary key,
  category text not null check (category in ('spam', 'fraud', 'inappropriate', 'other')),
  message text not null default '',
  listing_id text collate "C" references listing,
  user_id text collate "C" references app_user,
  -- user, session or address (hashed), and the address alone for counting visitors once
  reporter text collate "C" not null,
  reporter_user_id text collate "C" references app_user,
  reporter_address text collate "C",
  created_at timestamptz not null,
  closed_at timestamptz,
  note text
);
create index report_listing on report (listing_id, created_at) where listing_id is not null;
create index report_reporter on report (reporter, created_at desc);
create index report_open on report (created_at) where closed_at is null;
