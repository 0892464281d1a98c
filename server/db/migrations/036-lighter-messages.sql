-- Each message moves both sides of its conversation. Without these indexes that changes nothing but the row in its page (HOT); a
-- person's own few rows are found by their key and sorted as they are read.
drop index participant_newest;
drop index participant_change;
drop index participant_unread;
alter table participant set (fillfactor = 70);
-- A message is written under its conversation's lock by one of its two people, and nobody's row is ever deleted.
alter table message drop constraint message_conversation_id_fkey, drop constraint message_sender_id_fkey;
