-- No listing may change between the last number and the trigger.
lock table listing in share row exclusive mode;

-- Counts of the listed listings, for facets and suggestions. Each statement that changes listings adds what it changes, so writers
-- never wait for each other; a job adds the changes up. `pair` is category and type; words of titles have none.
create table listing_count (
  facet text collate "C" not null,
  pair text collate "C" not null,
  value text collate "C" not null,
  n integer not null,
  primary key (facet, pair, value)
);
create index listing_count_none on listing_count (n) where n = 0;
create table listing_count_change (
  facet text collate "C" not null,
  pair text collate "C" not null,
  value text collate "C" not null,
  n integer not null
);
-- Listings from before: counted up to `done` of `last`. The row goes when all are.
create table listing_count_fill (
  only_row boolean primary key default true check (only_row),
  done integer not null,
  last integer not null
);
insert into listing_count_fill (done, last) select 0, max(num) from listing having max(num) is not null;

create function listing_pair(category text, specs jsonb) returns text language sql immutable as $$
  select category || e'\n' || coalesce(specs ->> 'type', '')
$$;

-- A price counts with its first two digits: all price ranges begin at such a number.
create function price_start(price integer) returns text language sql immutable as $$
  select trunc(price::numeric, 2 - length(price::text))::text
$$;

-- What one listing counts for.
create function listing_counts(category text, specs jsonb, region text, town text, condition text, price integer)
returns table (facet text, pair text, value text) language sql immutable as $$
  select f.facet, listing_pair(category, specs), f.value from (
    values ('', ''), ('region', region), ('town', town), ('condition', condition),
      ('price', price_start(price))
    union all select 'spec.' || s.key, s.value #>> '{}' from jsonb_each(specs) s
      where jsonb_typeof(s.value) in ('string', 'boolean')
  ) f(facet, value) where f.value is not null
$$;

-- Words of title, brand and model.
create function listing_words(search tsvector)
returns table (facet text, pair text, value text) language sql immutable as $$
  select 'word', '', substr(w.lexeme, 2) from unnest(search) w where w.lexeme like '@%'
$$;

create function listing_counted() returns trigger language plpgsql as $$
declare
  fill listing_count_fill;
begin
  if tg_op = 'INSERT' then
    insert into listing_count_change
    select c.facet, c.pair, c.value, count(*) from new_rows r
      cross join lateral (select * from listing_counts(r.category, r.specs, r.region, r.town, r.condition, r.price)
        union all select * from listing_words(r.search)) c
    where r.listed group by 1, 2, 3;
  else
    select * into fill from listing_count_fill for share;
    insert into listing_count_change
    select c.facet, c.pair, c.value, sum(r.n) from (
      select 1 as n, category, specs, region, town, condition, price, search from new_rows
        where listed and (fill is null or num <= fill.done or num > fill.last)
      union all select -1, category, specs, region, town, condition, price, search from old_rows
        where listed and (fill is null or num <= fill.done or num > fill.last)
    ) r cross join lateral (select * from listing_counts(r.category, r.specs, r.region, r.town, r.condition, r.price)
      union all select * from listing_words(r.search)) c
    group by 1, 2, 3 having sum(r.n) <> 0;
  end if;
  return null;
end $$;
create trigger listing_counted_new after insert on listing referencing new table as new_rows
  for each statement execute function listing_counted();
create trigger listing_counted_change after update on listing referencing old table as old_rows new table as new_rows
  for each statement execute function listing_counted();

-- Equal for words that sound alike, as `soundOf` in schema/spelling.ts.
create function word_sound(word text) returns text language sql immutable as $$
  select regexp_replace(translate(regexp_replace(regexp_replace(replace(replace(word, 'ph', 'f'), 'h', ''),
    'ou|oo', 'u', 'g'), 'qu?|ck?|k', 'c', 'g'), 'yz', 'is'), '(.)\1+', '\1', 'g')
$$;
create index listing_count_sound on listing_count using gin (word_sound(value) gin_trgm_ops) where facet = 'word';
-- Words that a typed one may be meant to be, most alike first.
create function words_like(typed text) returns setof text language sql stable
  set pg_trgm.word_similarity_threshold = 0.2 as $$
  select w.value from (
    select value from listing_count where facet = 'word' and word_sound(value) %> word_sound(typed)
    union select value from listing_count_change where facet = 'word' and word_sound(value) %> word_sound(typed)
  ) w order by word_similarity(word_sound(typed), word_sound(w.value)) desc limit 200
$$;

-- Filters by spec and by place find few of many listings without walking an order.
create index listing_labels on listing using gin (labels) where listed;
create index listing_points on listing (latitude, longitude, posted_at desc, id desc) where listed;
create index listing_category_points on listing (category, latitude, longitude, posted_at desc, id desc) where listed;
alter table listing alter column search set statistics 300;
create statistics listing_kinds (dependencies, mcv) on category, region, town, condition from listing;
