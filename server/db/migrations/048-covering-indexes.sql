-- What facets count and lists are filtered by most is read from the index, without a visit to each row.
-- Other readers wait only while the old indexes are dropped, at the end.
create index listing_newest_facts on listing (posted_at desc, id desc)
  include (category, region, town, condition, price, expires_at, specs) where listed;
create index listing_category_facts on listing (category, posted_at desc, id desc)
  include (region, town, condition, price, expires_at, specs) where listed;
create index listing_category_region_facts on listing (category, region, posted_at desc, id desc)
  include (town, condition, price, expires_at, specs) where listed;
create index listing_region_facts on listing (region, posted_at desc, id desc)
  include (category, town, condition, price, expires_at, specs) where listed;
drop index listing_newest, listing_category, listing_category_region, listing_region;
-- The indexes serve rows whose page was vacuumed since its last change: after 20 % of new rows is too seldom.
alter table listing set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
