-- What is due each minute or hour is found without reading all listings (server/nouns/listing/jobs.ts).
create index listing_untold on listing (expires_at) where listed and expiry_told_at is null;
create index listing_deleted on listing (id) where deleted_at is not null;
