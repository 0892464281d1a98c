-- Where each listing stands among the changes (API.md 3). One number per transaction, taken as the last thing before its commit
-- under a lock that ends with it: whoever sees a number sees all smaller ones. Nothing here depends on the cluster's own
-- transaction numbers, so it means the same after a dump and a restore.
create table listing_counter (
  only_row boolean primary key default true check (only_row),
  last bigint not null
);

-- Written by the trigger below alone. The public change moves only when the public could see the listing before or after it (D101).
create table listing_change (
  listing_id text collate "C" primary key,
  num integer not null,
  seller_id text collate "C" not null,
  change bigint not null,
  public_change bigint,
  public_at timestamptz
);

insert into listing_change (listing_id, num, seller_id, change, public_change, public_at)
select id, num, seller_id, row_number() over (order by xid, revision),
  case when public_xid is not null then row_number() over (partition by public_xid is null order by public_xid, public_revision) end, public_at
from listing;
insert into listing_counter (last) select count(*) from listing;

-- listed: in lists but for the clock; readable: others may open it (API.md 5.1).
create or replace function listing_changed() returns trigger language plpgsql as $$
begin
  new.listed := new.review_status = 'approved' and new.deleted_at is null and not new.is_archived and not new.is_sold
    and not new.lapsed and new.is_active and not new.seller_hidden;
  new.readable := new.listed or (new.is_sold and new.review_status = 'approved' and new.deleted_at is null
    and not new.is_archived and not new.seller_hidden);
  return new;
end $$;

alter table listing drop column xid, drop column revision, drop column public_xid, drop column public_revision, drop column public_at;
drop sequence listing_revision;

create index listing_seller on listing (seller_id);
create index listing_change_public on listing_change (public_change, num) where public_change is not null;
create index listing_change_public_at on listing_change (public_at) where public_at is not null;
create index listing_change_seller on listing_change (seller_id, change, num);

create function listing_numbered() returns trigger language plpgsql as $$
declare
  taken bigint := nullif(current_setting('yaar.listing_change', true), '')::bigint;
  shown boolean := new.readable or (tg_op = 'UPDATE' and old.readable);
begin
  if taken is null then
    update listing_counter set last = last + 1 returning last into taken;
    perform set_config('yaar.listing_change', taken::text, true);
  end if;
  insert into listing_change as c (listing_id, num, seller_id, change, public_change, public_at)
  values (new.id, new.num, new.seller_id, taken, case when shown then taken end, case when shown then new.updated_at end)
  on conflict (listing_id) do update set change = excluded.change,
    public_change = coalesce(excluded.public_change, c.public_change), public_at = coalesce(excluded.public_at, c.public_at);
  return null;
end $$;
create constraint trigger listing_numbered after insert or update on listing
  deferrable initially deferred for each row execute function listing_numbered();
