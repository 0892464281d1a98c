-- When all that is to be made of a picture was made; null: its AVIF variants are still to come (API.md 6.3).
alter table picture add column settled_at timestamptz;
create index picture_unsettled on picture (created_at) where settled_at is null and removed_at is null and listing_id is not null;
