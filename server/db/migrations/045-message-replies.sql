-- The message of the same conversation that this one answers [API 11.5]; nobody's row is ever deleted, so without a foreign key.
alter table message add column reply_to_id text;
