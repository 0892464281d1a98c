-- Every message wrote these entries, and what asked them has another way: the other side of a conversation is known by its people,
-- a list of notifications is the log read backwards, and only the sweep asks for keys by time.
drop index participant_conversation;
drop index event_list;
drop index idempotency_created;
create index idempotency_created on idempotency using brin (created_at);
-- No event is written without a tape, which only a person has; and nobody's row is ever deleted.
alter table event drop constraint event_user_id_fkey, drop constraint event_actor_id_fkey;
